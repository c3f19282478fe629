import { describe, expect, it } from '@jest/globals';
import { parseBehaviour } from './behaviour.js';

describe('what a solver is told to do', () => {
  it.each([
    [{ mode: 'normal' }, { mode: 'normal', delayMs: 0, dieAfterFill: false }],
    [
      { mode: 'slow', delay_ms: 1_500 },
      { mode: 'slow', delayMs: 1_500, dieAfterFill: false },
    ],
    [
      { mode: 'normal', die_after_fill: true },
      { mode: 'normal', delayMs: 0, dieAfterFill: true },
    ],
  ])('%j is understood', (body, behaviour) => {
    expect(parseBehaviour(body)).toEqual(behaviour);
  });

  it.each([
    null,
    'dead',
    {},
    { mode: 'lazy' },
    { mode: 'slow', delay_ms: -1 },
    { mode: 'slow', delay_ms: 1.5 },
    { mode: 'slow', delay_ms: 600_001 },
    { mode: 'normal', die_after_fill: 'yes' },
  ])('%j is refused', (body) => {
    expect(typeof parseBehaviour(body)).toBe('string');
  });
});
