import { describe, expect, it } from '@jest/globals';
import { ShutdownSequence } from './shutdown-sequence.js';

const never = (): Promise<void> => new Promise(() => undefined);

describe('ShutdownSequence', () => {
  it('stops phase by phase, whatever the order of registration', async () => {
    const shutdown = new ShutdownSequence();
    const stopped: string[] = [];
    for (const phase of [
      'telemetry',
      'database',
      'intake',
      'transport',
      'relay',
      'work',
    ] as const) {
      shutdown.add(phase, phase, async () => {
        await Promise.resolve();
        stopped.push(phase);
      });
    }
    await shutdown.run(1_000);
    expect(stopped).toEqual(['intake', 'work', 'relay', 'transport', 'database', 'telemetry']);
  });

  it('stops what is in one phase together', async () => {
    const shutdown = new ShutdownSequence();
    let release: () => void = () => undefined;
    shutdown.add('intake', 'first', () => new Promise((resolve) => (release = resolve)));
    shutdown.add('intake', 'second', () => {
      release();
      return Promise.resolve();
    });
    await expect(shutdown.run(1_000)).resolves.toBeUndefined();
  });

  it('tells waiting requests before anything stops', async () => {
    const shutdown = new ShutdownSequence();
    let told = false;
    shutdown.add('intake', 'http', () => {
      told = shutdown.stopping.aborted;
      return Promise.resolve();
    });
    expect(shutdown.stopping.aborted).toBe(false);
    await shutdown.run(1_000);
    expect(told).toBe(true);
  });

  it('goes on to the database when something hangs, and says what did', async () => {
    const shutdown = new ShutdownSequence();
    let closed = false;
    shutdown.add('work', 'stuck handler', never);
    shutdown.add('database', 'pool', () => {
      closed = true;
      return Promise.resolve();
    });
    const failure: unknown = await shutdown.run(20).catch((error: unknown) => error);
    expect(closed).toBe(true);
    expect(failure).toBeInstanceOf(AggregateError);
    expect((failure as AggregateError).errors.map((error) => (error as Error).message)).toEqual([
      'work/stuck handler',
    ]);
  });

  it('runs once, however often it is asked', async () => {
    const shutdown = new ShutdownSequence();
    let stops = 0;
    shutdown.add('intake', 'http', () => {
      stops += 1;
      return Promise.resolve();
    });
    await Promise.all([shutdown.run(1_000), shutdown.run(1_000)]);
    expect(stops).toBe(1);
  });
});
