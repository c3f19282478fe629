import { describe, expect, it } from '@jest/globals';
import { inTurns } from './in-turns.js';

describe('inTurns', () => {
  it('takes the first of each group before the second of any', () => {
    const items = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'];
    expect(inTurns(items, ([group = '']) => group)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('takes turns of groups within groups', () => {
    const items = ['Xa1', 'Xa2', 'Xa3', 'Xb1', 'Yc1'];
    const within = inTurns(items, (item) => item.slice(0, 2));
    expect(inTurns(within, ([group = '']) => group)).toEqual(['Xa1', 'Yc1', 'Xb1', 'Xa2', 'Xa3']);
  });
});
