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
import { arrivedFor, declaredLeg, legInput, plannedFor, type PlannedInput } from './leg-input.js';

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
const networkFees = (amount: bigint): PlannedInput => ({
  amount,
  feeKinds: ['network', 'network', 'network'],
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
        fc.array(fc.constantFrom('network' as const, 'business' as const), { maxLength: 3 }),
        (max, arrived, planned, caps, feeKinds) => {
          const input = legInput(declared(max, caps), arrived, { amount: planned, feeKinds });
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

  it('lowers the fees by the shortfall, conversions included', () => {
    const leg = { ...declared(105n, [3n, 2n]), minOutput: 95n };
    expect(legInput(leg, 101n, networkFees(100n))).toEqual({
      amount: 96n,
      fees: [3n, 2n],
      total: 101n,
    });
    expect(legInput(leg, 99n, networkFees(100n))).toEqual({
      amount: 95n,
      fees: [2n, 2n],
      total: 99n,
    });
    expect(legInput(leg, 96n, networkFees(100n))).toEqual({
      amount: 95n,
      fees: [0n, 1n],
      total: 96n,
    });
    expect(legInput(leg, 90n, networkFees(100n))).toEqual({
      amount: 90n,
      fees: [0n, 0n],
      total: 90n,
    });
  });

  it('is converted as planned when the fee takes most of a minimum delivery', () => {
    const leg = declared(105_000n, [60_000n]);
    expect(legInput(leg, 99_500n, networkFees(100_000n))?.amount).toBe(40_000n);
  });

  it('lowers revenue shares in proportion to what arrived, and the network fee by the rest', () => {
    const leg = declared(105_000n, [600n, 1_500n, 1_000n]);
    const planned: PlannedInput = {
      amount: 100_000n,
      feeKinds: ['network', 'business', 'business'],
    };
    const paid = (arrived: bigint) => legInput(leg, arrived, planned);
    expect(paid(100_000n)?.fees).toEqual([600n, 1_500n, 1_000n]);
    expect(paid(104_000n)?.fees).toEqual([600n, 1_500n, 1_000n]);
    // 500 are missing: 8 and 5 from the shares, the rest from the network fee; the output stays as quoted.
    expect(paid(99_500n)).toEqual({ amount: 96_900n, fees: [113n, 1_492n, 995n], total: 99_500n });
    // More than the network fee is missing: the shares keep their proportion.
    expect(paid(99_000n)).toEqual({ amount: 96_525n, fees: [0n, 1_485n, 990n], total: 99_000n });
  });

  it('leaves the quoted output less the shortfall’s proportion, whatever the shares', () => {
    const planned = fc.bigInt({ min: 1n, max: 2n ** 96n });
    fc.assert(
      fc.property(
        planned,
        fc.bigInt({ min: 0n, max: 5_000n }),
        fc.bigInt({ min: 0n, max: 9_000n }),
        fc.array(fc.bigInt({ min: 0n, max: 60n }), { maxLength: 4 }),
        (amount, missing, network, shares) => {
          const bps = (units: bigint, part: bigint) => (units * part) / 10_000n;
          const caps = [bps(amount, network), ...shares.map((share) => bps(amount, share))];
          const quoted = caps.reduce((rest, cap) => rest - cap, amount);
          fc.pre(quoted > 0n);
          const arrived = amount - bps(amount, missing);
          const input = legInput(declared(amount, caps), arrived, {
            amount,
            feeKinds: ['network', ...shares.map(() => 'business' as const)],
          });
          fc.pre(input !== null);
          expect(input.amount).toBeGreaterThanOrEqual((quoted * arrived) / amount);
        },
      ),
    );
  });

  it('is null when the fees would leave nothing', () => {
    expect(legInput(declared(10n, [4n, 6n]), 10n, networkFees(10n))).toBeNull();
    expect(legInput(declared(10n, [4n, 5n]), 10n, networkFees(10n))).toEqual({
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

describe('plannedFor', () => {
  it('is the planned input of the leg', () => {
    const payment = aBridgedPayment().build();
    expect([0, 1, 2].map((index) => plannedFor(payment, index))).toEqual([
      { amount: 100_000_000n, feeKinds: ['network'] },
      { amount: 98_900_000n, feeKinds: ['network'] },
      { amount: 0n, feeKinds: [] },
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
