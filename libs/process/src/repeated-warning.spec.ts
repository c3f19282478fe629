import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './logger.js';
import { RepeatedWarning } from './repeated-warning.js';

describe('RepeatedWarning', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('logs a new reason at once, the same one after half a minute, and at once after a recovery', () => {
    const said: unknown[] = [];
    const logger = createLogger({ service: 'test', level: 'silent' });
    logger.warn = (details: unknown) => said.push(details);
    const warning = new RepeatedWarning(logger, 'waiting');
    warning.report('unavailable');
    warning.report('unavailable');
    expect(said).toHaveLength(1);
    warning.report('refused');
    expect(said).toEqual([{ reason: 'unavailable' }, { reason: 'refused' }]);
    jest.advanceTimersByTime(29_000);
    warning.report('refused');
    expect(said).toHaveLength(2);
    jest.advanceTimersByTime(2_000);
    warning.report('refused');
    expect(said).toHaveLength(3);
    warning.clear();
    warning.report('refused');
    expect(said).toHaveLength(4);
  });
});
