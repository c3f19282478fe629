import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Leg } from '@bascule/solidity';
import { legInput } from './leg-input.js';

const RECEIVER = `0x${'9'.repeat(40)}` as const;
const declared = (maxInput: bigint, caps: bigint[]): Leg => ({
  chainId: 31337n,
  inputToken: RECEIVER,
  maxInput,
  fees: caps.map((cap) => ({ receiver: RECEIVER, cap })),
  outputToken: RECEIVER,
  minOutput: 1n,
  customCalls: [],
  bridgeAdapter: RECEIVER,
  minBridged: 0n,
});
const amounts = fc.bigInt(0n, 2n ** 96n);

describe('what a leg takes', () => {
  it('is all that arrived up to the declared maximum, and adds up', () => {
    fc.assert(
      fc.property(amounts, amounts, fc.array(amounts, { maxLength: 3 }), (max, arrived, caps) => {
        const input = legInput(declared(max, caps), arrived);
        if (!input) return;
        const fees = input.fees.reduce((sum, fee) => sum + fee, 0n);
        expect(input.amount + fees).toBe(input.total);
        expect(input.total).toBe(arrived < max ? arrived : max);
        expect(input.amount > 0n).toBe(true);
      }),
    );
  });

  it('is nothing when the fees would leave nothing', () => {
    expect(legInput(declared(10n, [4n, 6n]), 10n)).toBeNull();
    expect(legInput(declared(10n, [4n, 5n]), 10n)).toEqual({
      amount: 1n,
      fees: [4n, 5n],
      total: 10n,
    });
  });
});
