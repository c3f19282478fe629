import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from './kafka-client.js';
import { RequestQueue } from './stop-idle-checks.js';

describe('a connection of the Kafka client', () => {
  let queue: InstanceType<typeof RequestQueue>;
  let sent: number[];

  beforeEach(() => {
    jest.useFakeTimers();
    const logger = { debug: () => undefined } as never;
    createClient({ brokers: ['127.0.0.1:9'] }, 'test', logger);
    queue = new RequestQueue({
      ...{ maxInFlightRequests: null, requestTimeout: 10_000, enforceRequestTimeout: false },
      ...{ clientId: 'test', broker: '127.0.0.1:9', logger },
    });
    sent = [];
  });
  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  const push = (correlationId: number) => {
    queue.push({
      entry: { correlationId },
      expectResponse: true,
      sendRequest: () => sent.push(correlationId),
    });
  };

  it('sets no timer while no request is pending', () => {
    push(1);
    queue.checkPendingRequests();
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });

  it('sends what a throttled broker kept waiting, and then sets no timer', () => {
    queue.maybeThrottle(50);
    push(1);
    push(2);
    queue.checkPendingRequests();
    jest.advanceTimersByTime(49);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(1);
    expect([sent, jest.getTimerCount()]).toEqual([[1, 2], 0]);
  });
});
