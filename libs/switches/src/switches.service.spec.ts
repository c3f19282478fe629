import { NO_SWITCHES, type SwitchesState } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SwitchesService } from './switches.service.js';

const since = '2026-01-01T00:00:00.000Z';
const pausing = (version: number, ...chains: string[]): SwitchesState => ({
  version,
  paused: chains.map((subject) => ({ kind: 'chain', subject, reason: 'attack', since })),
});

interface Stored {
  current: SwitchesState | Error | null;
  isBuilt?: boolean;
}

function serviceOf(stored: Stored) {
  const context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
  const log = jest.spyOn(context.logger, 'info').mockReturnValue(undefined);
  const findOneBy = jest.fn(() =>
    stored.current instanceof Error
      ? Promise.reject(stored.current)
      : Promise.resolve(stored.current),
  );
  const query = jest.fn(() => Promise.resolve((stored.isBuilt ?? true) ? [{}] : []));
  const dataSource = { manager: { findOneBy }, query } as unknown as DataSource;
  const warn = jest.spyOn(context.logger, 'warn').mockReturnValue(undefined);
  const service = new SwitchesService(dataSource, context);
  return { service, context, log, warn, findOneBy, query };
}

describe('SwitchesService', () => {
  /** The cache keeps the object `performance` of its start, which fake timers would replace. */
  const wait = async (ms: number) => {
    const later = performance.now() + ms;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    await jest.advanceTimersByTimeAsync(ms);
  };
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    await wait(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('returns changed switches a second after it has read them last, and asks once for all requests of a second', async () => {
    const stored: Stored = { current: null };
    const { service, findOneBy } = serviceOf(stored);
    const answers = await Promise.all([service.current(), service.current(), service.current()]);
    expect(answers).toEqual([NO_SWITCHES, NO_SWITCHES, NO_SWITCHES]);
    expect(findOneBy).toHaveBeenCalledTimes(1);
    stored.current = pausing(1, 'base');
    await wait(999);
    expect(await service.current()).toEqual(NO_SWITCHES);
    expect(findOneBy).toHaveBeenCalledTimes(1);
    await wait(2);
    expect(await service.current()).toEqual(pausing(1, 'base'));
  });

  it('returns the last switches while the database does not answer, and none that it never read', async () => {
    const stored: Stored = { current: new Error('connection refused') };
    const { service, warn } = serviceOf(stored);
    await expect(service.current()).rejects.toMatchObject({ code: 'unavailable' });
    const reason = 'no switches were read since the start';
    expect(warn.mock.calls).toEqual([
      [{ err: stored.current, reason }, 'switches could not be read'],
    ]);
    stored.current = pausing(1, 'base');
    expect(await service.current()).toEqual(pausing(1, 'base'));
    stored.current = new Error('connection refused');
    await wait(60_000);
    expect(await service.current()).toEqual(pausing(1, 'base'));
  });

  it('returns and warns of none until they were built from their topic once, then asks no more whether they are', async () => {
    const stored: Stored = { current: null, isBuilt: false };
    const { service, warn, query } = serviceOf(stored);
    await expect(service.current()).rejects.toMatchObject({ code: 'unavailable' });
    expect(warn).not.toHaveBeenCalled();
    stored.isBuilt = true;
    expect(await service.current()).toEqual(NO_SWITCHES);
    stored.isBuilt = false;
    await wait(2_000);
    expect(await service.current()).toEqual(NO_SWITCHES);
    expect(query).toHaveBeenCalledTimes(2);
  });

  it('logs a change once when it takes effect, also without requests', async () => {
    const stored: Stored = { current: null };
    const { service, context, log } = serviceOf(stored);
    service.onApplicationBootstrap();
    await wait(5_000);
    expect(log).not.toHaveBeenCalled();
    stored.current = pausing(1, 'base');
    await wait(5_000);
    expect(log.mock.calls).toEqual([
      [{ version: 1, paused: ['chain base'] }, 'switches took effect'],
    ]);
    await context.shutdown.run(1_000);
    stored.current = pausing(2);
    await wait(5_000);
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('exposes the version that it applies, and how long each switch is on', async () => {
    jest.setSystemTime(Date.parse(since) + 90_000);
    const { context } = serviceOf({ current: pausing(7, 'base') });
    const text = await context.metrics.metrics();
    expect(text).toContain('switches_version 7');
    expect(text).toContain('switch_on_seconds{kind="chain",subject="base"} 90');
    const rules = readFileSync(resolve('libs/switches/alerts.yaml'), 'utf8');
    const exposed = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const used = [...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap(([, expression = '']) =>
      [...expression.matchAll(/\bswitch\w*/g)].map(([name]) => name),
    );
    expect(used).toEqual(['switch_on_seconds', 'switches_version', 'switches_version']);
    expect(used.filter((name) => !exposed.has(name))).toEqual([]);
  });
});
