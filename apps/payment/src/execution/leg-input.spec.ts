import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Leg } from '@bascule/solidity';
import {
  aBridgedPayment,
  BETA_USDC,
  bridging,
  delivered,
} from '../testing/a-bridged-payment.fixture.js';
import { aDeposit, aPayment } from '../testing/a-payment.fixture.js';
import { arrivedFor, declaredLeg, legInput, plannedInput } from './leg-input.js';

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

describe('the input of a leg', () => {
  it('is the received amount up to the declared maximum, equal to its parts', () => {
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        fc.array(amounts, { maxLength: 3 }),
        (max, arrived, planned, caps) => {
          const input = legInput(declared(max, caps), arrived, planned);
          fc.pre(input !== null);
          expect(input.fees.every((fee, index) => fee >= 0n && fee <= (caps[index] ?? 0n))).toBe(
            true,
          );
          const fees = input.fees.reduce((sum, fee) => sum + fee, 0n);
          expect(input.amount + fees).toBe(input.total);
          expect(input.total).toBe(arrived < max ? arrived : max);
          expect(input.amount > 0n).toBe(true);
        },
      ),
    );
  });

  it('takes every fee in full from the planned amount and more', () => {
    const leg = declared(105_000n, [600n, 1_500n, 1_000n]);
    for (const arrived of [100_000n, 104_000n])
      expect(legInput(leg, arrived, 100_000n)?.fees).toEqual([600n, 1_500n, 1_000n]);
  });

  it('lowers every fee in proportion to what arrived, rounded down', () => {
    const leg = declared(105_000n, [601n, 1_500n, 1_000n]);
    expect(legInput(leg, 99_500n, 100_000n)).toEqual({
      amount: 96_416n,
      fees: [597n, 1_492n, 995n],
      total: 99_500n,
    });
    expect(legInput(leg, 50_000n, 100_000n)?.fees).toEqual([300n, 750n, 500n]);
  });

  it('reaches the declared minimum from the least deposit, without giving away a fee', () => {
    const units = fc.bigInt({ min: 1n, max: 2n ** 96n });
    const bps = fc.bigInt({ min: 0n, max: 5_000n });
    fc.assert(
      fc.property(units, bps, fc.array(bps, { maxLength: 4 }), (amount, slippage, parts) => {
        const part = (whole: bigint, ofWhole: bigint) => (whole * ofWhole) / 10_000n;
        const caps = parts.map((each) => part(amount, each));
        const rest = caps.reduce((left, cap) => left - cap, amount);
        fc.pre(rest > 0n);
        // As apps/quote plans them.
        const required = amount - part(amount, slippage);
        const minOutput = rest - part(rest, slippage);
        const input = legInput({ ...declared(amount, caps), minOutput }, required, amount);
        expect(input?.amount).toBeGreaterThanOrEqual(minOutput);
        for (const [index, fee] of (input?.fees ?? []).entries()) {
          expect(fee * amount).toBeGreaterThan((caps[index] ?? 0n) * required - amount);
        }
      }),
    );
  });

  it('is null when the fees would leave nothing', () => {
    expect(legInput(declared(10n, [4n, 6n]), 10n, 10n)).toBeNull();
    expect(legInput(declared(10n, [4n, 5n]), 10n, 10n)).toEqual({
      amount: 1n,
      fees: [4n, 5n],
      total: 10n,
    });
  });
});

describe('arrivedFor', () => {
  it('counts the deposits for the first leg', () => {
    expect(arrivedFor(aPayment().build(), 0)).toBe(0n);
    expect(arrivedFor(aPayment().deposited({ amount: 70n }).build(), 0)).toBe(70n);
  });

  it('counts the delivery for a later leg, up to what the wallet holds', () => {
    expect(arrivedFor(bridging().build(), 1)).toBe(0n);
    expect(arrivedFor(delivered().build(), 1)).toBe(98_900_000n);
    const spent = { ...delivered().build(), deposits: [] };
    expect(arrivedFor(spent, 1)).toBe(0n);
    expect(arrivedFor(delivered().build(), 2)).toBe(0n);
    expect(arrivedFor(delivered().build(), 3)).toBe(0n);
  });

  it('does not count for a later leg what the bridge did not deliver', () => {
    const payment = bridging().build();
    const extra = aDeposit({ chain: 'betanet', token: BETA_USDC });
    expect(arrivedFor({ ...payment, deposits: [...payment.deposits, extra] }, 1)).toBe(0n);
  });

  it('is zero for a leg that is not planned', () => {
    const payment = delivered().build();
    const plan = { ...payment.plan, legs: payment.plan.legs.slice(0, 1) };
    expect(arrivedFor({ ...payment, plan }, 1)).toBe(0n);
  });
});

describe('plannedInput', () => {
  it('is the planned input of the leg', () => {
    const payment = aBridgedPayment().build();
    expect([0, 1, 2].map((index) => plannedInput(payment, index))).toEqual([
      100_000_000n,
      98_900_000n,
      0n,
    ]);
  });
});

describe('declaredLeg', () => {
  it('is the leg at that place of the declaration', () => {
    const [first, second] = [0, 1].map((index) => declaredLeg(aBridgedPayment().build(), index));
    expect(first?.chainId).not.toBe(second?.chainId);
  });

  it('refuses a leg that is not declared', () => {
    const payment = aPayment().build();
    expect(() => declaredLeg(payment, 9)).toThrow(`payment ${payment.id} declares no leg 9`);
  });
});
