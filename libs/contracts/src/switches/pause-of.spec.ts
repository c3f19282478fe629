import { describe, expect, it } from '@jest/globals';
import type { Pause } from '../events/switch-events.js';
import { firstPauseOf, pausedOf, pauseMessage, pauseName, pauseOf } from './pause-of.js';

const pause = (kind: Pause['kind'], subject: string | null): Pause => ({
  kind,
  subject,
  reason: 'maintenance',
  since: '2026-01-01T00:00:00.000Z',
});
const base = pause('chain', 'base');
const across = pause('bridge', 'across');
const execution = pause('execution', null);
const paused = [base, across, execution];

describe('pauseOf', () => {
  it('finds a switch by its kind and its subject', () => {
    expect(pauseOf({ paused }, 'chain', 'base')).toBe(base);
    expect(pauseOf({ paused }, 'chain', 'across')).toBeUndefined();
    expect(pauseOf({ paused }, 'bridge', 'base')).toBeUndefined();
    expect(pauseOf({ paused }, 'execution')).toBe(execution);
    expect(pauseOf({ paused }, 'confirms')).toBeUndefined();
  });
});

describe('firstPauseOf', () => {
  it('finds the first party that is paused', () => {
    const parties = [['chain', 'optimism'], ['bridge', 'across'], ['execution']] as const;
    expect(firstPauseOf({ paused }, parties)).toBe(across);
    expect(firstPauseOf({ paused: [] }, parties)).toBeUndefined();
  });
});

describe('pausedOf', () => {
  it('lists the subjects of a kind', () => {
    expect([...pausedOf({ paused }, 'chain')]).toEqual(['base']);
    expect([...pausedOf({ paused }, 'execution')]).toEqual([]);
  });
});

describe('the words for a switch', () => {
  it('name it to operators', () => {
    expect(paused.map((each) => pauseName(each))).toEqual([
      'chain base',
      'bridge across',
      'execution',
    ]);
  });

  it('tell clients what is paused, and why', () => {
    expect(
      [...paused, pause('organisation', 'id'), pause('confirms', null)].map(pauseMessage),
    ).toEqual([
      'base is paused: maintenance',
      'across is paused: maintenance',
      'The execution of payments is paused: maintenance',
      'New quotes and payments of the organisation are paused: maintenance',
      'New payments are paused: maintenance',
    ]);
  });
});
