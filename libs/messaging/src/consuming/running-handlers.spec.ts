import { createLogger } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { RunningHandlers } from './running-handlers.js';

describe('RunningHandlers', () => {
  it('reports a handler that does not return, by its age and once in the log', async () => {
    const registry = new Registry();
    const lines: string[] = [];
    const logger = createLogger(
      { service: 'test', level: 'info' },
      { write: (line: string) => lines.push(line) },
    );
    const running = new RunningHandlers(registry, logger, 50);
    running.register();
    let free: () => void = () => undefined;
    const stuck = running.watch(
      { topic: 'things', key: 'key', id: 'event' },
      () => new Promise<void>((resolve) => (free = resolve)),
    );
    const quick = { topic: 'others', key: 'key', id: 'another' };
    expect(await running.watch(quick, () => Promise.resolve(7))).toBe(7);
    await expect(running.watch(quick, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await eventually(() => expect(lines).toHaveLength(1));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      ...{ topic: 'things', key: 'key', event: 'event', seconds: 0.05 },
      msg: 'handler still running',
    });
    const oldest = async (): Promise<{ value: number; labels: object }[]> =>
      (await registry.getSingleMetric('messaging_oldest_handler_seconds')?.get())?.values ?? [];
    expect(await oldest()).toEqual([{ value: expect.any(Number), labels: { topic: 'things' } }]);
    expect((await oldest())[0]?.value).toBeGreaterThanOrEqual(0.05);
    free();
    await stuck;
    expect(await oldest()).toEqual([]);
    expect(lines).toHaveLength(1);
  });
});
