import { describe, expect, it } from '@jest/globals';
import { mergeStateOverrides } from './merge-state-overrides.js';

const WALLET = '0x00000000000000000000000000000000000A11cE';
const TOKEN = '0x000000000000000000000000000000000000c01A';
const diff = (slot: number) => ({ slot: `0x0${slot}`, value: '0x01' }) as const;

describe('merged state overrides', () => {
  it('keep code and balance of one address in one entry', () => {
    expect(
      mergeStateOverrides(
        [{ address: WALLET, balance: 1n }],
        [{ address: '0x00000000000000000000000000000000000a11ce', code: '0x00' }],
      ),
    ).toEqual([
      { address: '0x00000000000000000000000000000000000a11ce', balance: 1n, code: '0x00' },
    ]);
  });

  it('join the slots of one token', () => {
    expect(
      mergeStateOverrides(
        [{ address: TOKEN, stateDiff: [diff(1)] }],
        [{ address: TOKEN, stateDiff: [diff(2)] }],
      ),
    ).toEqual([{ address: TOKEN, stateDiff: [diff(1), diff(2)] }]);
  });
});
