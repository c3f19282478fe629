// @ts-expect-error -- kafkajs has no types of its internals.
import KafkajsRequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** Requests of one connection of kafkajs. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  maybeThrottle(ms: number): void;
  push(request: {
    entry: { correlationId: number };
    expectResponse: boolean;
    sendRequest(): void;
  }): void;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
  destroy(): void;
}

interface RequestQueueClass {
  new (options: {
    maxInFlightRequests: number | null;
    requestTimeout: number;
    enforceRequestTimeout: boolean;
    clientId: string;
    broker: string;
    logger: { debug(message: string): void };
  }): RequestQueue;
  readonly prototype: RequestQueue;
}

export const RequestQueue = KafkajsRequestQueue as RequestQueueClass;

const { scheduleCheckPendingRequests } = RequestQueue.prototype;

/**
 * Has kafkajs check for pending requests only while there are some. Without it, 2.2.4 checks every connection once a
 * millisecond for ever, with a negative delay (kafkajs issues 1704 and 1751).
 */
export function stopIdleChecks(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleIfPending(
    this: RequestQueue,
  ) {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
}
