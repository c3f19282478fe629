import { describe, expect, it } from '@jest/globals';
import { parseBehaviour } from './behaviour.js';

describe('parseBehaviour', () => {
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
  ])('accepts %j', (body, behaviour) => {
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
  ])('refuses %j', (body) => {
    expect(typeof parseBehaviour(body)).toBe('string');
  });
});
