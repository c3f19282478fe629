import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Leg } from '@bascule/solidity';
import { legInput } from './leg-input.js';

const RECEIVER = `0x${'9'.repeat(40)}` as const;
const OUTPUT = `0x${'8'.repeat(40)}` as const;
const declared = (maxInput: bigint, caps: bigint[]): Leg => ({
  chainId: 31337n,
  inputToken: RECEIVER,
  maxInput,
  fees: caps.map((cap) => ({ receiver: RECEIVER, cap })),
  outputToken: OUTPUT,
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
        expect(input.fees.every((fee, index) => fee >= 0n && fee <= (caps[index] ?? 0n))).toBe(
          true,
        );
        const fees = input.fees.reduce((sum, fee) => sum + fee, 0n);
        expect(input.amount + fees).toBe(input.total);
        expect(input.total).toBe(arrived < max ? arrived : max);
        expect(input.amount > 0n).toBe(true);
      }),
    );
  });

  it('lowers the fees of a plain payout by what its minimum is short of', () => {
    const payout = { ...declared(105n, [3n, 2n]), outputToken: RECEIVER, minOutput: 96n };
    expect(legInput(payout, 101n)).toEqual({ amount: 96n, fees: [3n, 2n], total: 101n });
    expect(legInput(payout, 99n)).toEqual({ amount: 96n, fees: [1n, 2n], total: 99n });
    expect(legInput(payout, 97n)).toEqual({ amount: 96n, fees: [0n, 1n], total: 97n });
    const conversion = { ...payout, outputToken: OUTPUT };
    expect(legInput(conversion, 97n)).toEqual({ amount: 92n, fees: [3n, 2n], total: 97n });
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
