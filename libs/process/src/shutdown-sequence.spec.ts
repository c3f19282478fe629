import { describe, expect, it } from '@jest/globals';
import { ShutdownSequence } from './shutdown-sequence.js';

const never = (): Promise<void> => new Promise(() => undefined);

describe('ShutdownSequence', () => {
  it('stops phase by phase, independent of the order of registration', async () => {
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

  it('stops the steps of one phase together', async () => {
    const shutdown = new ShutdownSequence();
    let release: () => void = () => undefined;
    shutdown.add('intake', 'first', () => new Promise((resolve) => (release = resolve)));
    shutdown.add('intake', 'second', () => {
      release();
      return Promise.resolve();
    });
    await expect(shutdown.run(1_000)).resolves.toBeUndefined();
  });

  it('aborts waiting requests before the first phase', async () => {
    const shutdown = new ShutdownSequence();
    let aborted = false;
    shutdown.add('intake', 'http', () => {
      aborted = shutdown.stopping.aborted;
      return Promise.resolve();
    });
    expect(shutdown.stopping.aborted).toBe(false);
    await shutdown.run(1_000);
    expect(aborted).toBe(true);
  });

  it('continues with the database when a step hangs, and names the step', async () => {
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

  it('runs once, also when called repeatedly', async () => {
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
