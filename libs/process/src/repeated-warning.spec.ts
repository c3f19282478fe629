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

  it('says a new reason at once, the same again after half a minute, and at once when it was over', () => {
    const said: unknown[] = [];
    const logger = createLogger({ service: 'test', level: 'silent' });
    logger.warn = (details: unknown) => said.push(details);
    const trouble = new RepeatedWarning(logger, 'waiting');
    trouble.report('away');
    trouble.report('away');
    expect(said).toHaveLength(1);
    trouble.report('refused');
    expect(said).toEqual([{ reason: 'away' }, { reason: 'refused' }]);
    jest.advanceTimersByTime(29_000);
    trouble.report('refused');
    expect(said).toHaveLength(2);
    jest.advanceTimersByTime(2_000);
    trouble.report('refused');
    expect(said).toHaveLength(3);
    trouble.clear();
    trouble.report('refused');
    expect(said).toHaveLength(4);
  });
});
