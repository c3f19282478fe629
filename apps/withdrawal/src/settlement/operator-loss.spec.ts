import { describe, expect, it } from '@jest/globals';
import type { Medians, TransactionFees } from '@bascule/chain';
import { boundedFees, raisedFees } from '@bascule/transactions';
import { maxSubmissionGas } from '@bascule/wallet-balances';
import fc from 'fast-check';
import { gasLimit } from './gas-limit.js';
import { MAX_UNEXECUTED, submissionTurn } from '../life-cycle/submission-turn.js';
import { submissionBounds } from './submission-bounds.js';

/** As the service defines it: a subsidised submission costs at most so many times its gas at the price of its time. */
const COST_FACTOR = 3n;
/** The same: submissions of a payment that may cost more than their fees. */
const SUBSIDISED = 3;

const price = fc.bigInt(1n, 10n ** 12n);
const dataFee = fc.bigInt(0n, 10n ** 15n);
/** Chain at one submission, and what code of the owner and the recipient makes of it. */
const attempt = fc.record({
  price,
  dataFee,
  /** Gas price and data fee that the other one of two nodes reports. */
  saidPrice: fc.oneof(fc.constant(null), fc.constant(0n), fc.bigInt(0n, 10n ** 13n)),
  said: fc.oneof(fc.constant(null), fc.bigInt(0n, 10n ** 24n)),
  /** Gas that nodes estimate, as a share of the most that is ever granted. */
  estimatePpm: fc.bigInt(1n, 1_100_000n),
  outcome: fc.constantFrom('executed', 'reverted', 'dropped'),
});
const withdrawal = fc.record({
  paidGas: fc.bigInt(100_000n, 600_000n),
  price,
  dataFee,
  deploysOwner: fc.boolean(),
  /** Whether it is still in flight, on a chain of its own, when the next one is submitted. */
  isSlow: fc.boolean(),
  attempts: fc.array(attempt, { maxLength: 4 }),
});
type Withdrawal = typeof withdrawal extends fc.Arbitrary<infer T> ? T : never;

describe('the gas that the operator spends on withdrawals of a payment', () => {
  it('exceeds their fees by three subsidies, and by the fees of those that were not executed', () => {
    fc.assert(
      fc.property(fc.array(withdrawal, { maxLength: 30 }), (withdrawals) => {
        const { spent, earned, lostFees, granted, hidden, reverted } = play(withdrawals);
        const subsidies = granted.reduce((sum, each) => sum + each, 0n);
        expect(spent.beyond <= earned.beyond + lostFees + hidden.beyond).toBe(true);
        expect(spent.first <= subsidies).toBe(true);
        expect(reverted).toBeLessThanOrEqual(MAX_UNEXECUTED);
      }),
      { numRuns: 500 },
    );
  });

  it('goes into no transaction with fees below the price of gas, whatever one of two nodes says', () => {
    fc.assert(
      fc.property(fc.array(withdrawal, { maxLength: 30 }), (withdrawals) => {
        expect(play(withdrawals).tooCheap).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('is bounded at the present price for withdrawals of older versions', () => {
    const terms = { maxCostWei: null, repaidWei: null, reducedFeeRoot: null };
    const prices = { gasPrice: 3n, dataFee: { lower: 5n, higher: 5n } };
    const now = { prices, paidGas: 100n, subsidisedGas: 400n };
    const bounds = submissionBounds(terms, { ...now, submissions: SUBSIDISED });
    expect(bounds).toMatchObject({
      isSubsidised: false,
      maxGas: 100n,
      affordable: { least: 100n, most: 100n },
    });
    expect(bounds.maxCost(1n)).toBe(305n);
  });

  it('may exceed a reduced fee at any time: a chain of retries has one', () => {
    const terms = { maxCostWei: null, repaidWei: 0n, reducedFeeRoot: 'a payment' };
    const prices = { gasPrice: 3n, dataFee: { lower: 5n, higher: 5n } };
    const now = { prices, paidGas: 100n, subsidisedGas: 400n };
    const bounds = submissionBounds(terms, { ...now, submissions: SUBSIDISED });
    expect(bounds).toMatchObject({ isSubsidised: true, maxGas: 400n, affordable: null });
    expect(bounds.maxCost(400n)).toBe(3n * 1_205n);
  });
});

/** Market whose tip rises as far as one of two nodes may have it rise. */
function marketOf(gas: Medians) {
  const told = { price: gas.lower, higherPrice: gas.higher, risenTip: 2n * gas.lower };
  const offered = { maxFeePerGas: 2n * gas.higher, maxPriorityFeePerGas: 0n };
  return raisedFees({ ...offered, ...told }, 10n ** 40n);
}

/** Price of gas at most: the whole fee where a withdrawal repays it, else the true price and the highest tip. */
function dearestPrice(
  place: 'first' | 'beyond',
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
  price: bigint,
): bigint {
  const paid = price + maxPriorityFeePerGas;
  return place === 'first' && paid < maxFeePerGas ? paid : maxFeePerGas;
}

/** Plays withdrawals as `ConfirmService` and `SubmissionService` do: each uses its whole limit. */
function play(withdrawals: readonly Withdrawal[]) {
  const spent = { first: 0n, beyond: 0n };
  const earned = { first: 0n, beyond: 0n };
  const hidden = { first: 0n, beyond: 0n };
  const granted: bigint[] = [];
  /** Outcomes of withdrawals in flight. */
  let inFlight: { isReverted: boolean }[] = [];
  let [lostFees, submissions, unexecuted, tooCheap] = [0n, 0, 0, 0];
  const settle = () => {
    unexecuted += inFlight.filter(({ isReverted }) => isReverted).length;
    inFlight = [];
  };
  for (const { paidGas, deploysOwner, attempts, isSlow, ...request } of withdrawals) {
    const turn = () => submissionTurn({ unexecuted, inFlight: inFlight.length });
    if (turn() === 'later') settle();
    if (turn() === 'never') break;
    const repaidWei = request.price * paidGas + request.dataFee;
    const terms = { maxCostWei: null, repaidWei, reducedFeeRoot: null };
    const subsidisedGas = maxSubmissionGas({ paid: paidGas, deploysOwner });
    for (const now of attempts) {
      const data = reported(now.dataFee, now.said);
      const gas = reported(now.price, now.saidPrice);
      const prices = { gasPrice: gas.higher, dataFee: data };
      const within = { submissions, prices, paidGas, subsidisedGas };
      const { maxGas, affordable, maxCost } = submissionBounds(terms, within);
      const estimate = 1n + (subsidisedGas * now.estimatePpm) / 1_000_000n;
      if (estimate > maxGas) break;
      if (affordable !== null && estimate > affordable.most) continue;
      const limit = gasLimit(estimate, maxGas, affordable);
      const bound = { gasLimit: limit, dataFee: data, maxCost: maxCost(limit) };
      const fees = boundedFees(marketOf(gas), bound);
      if (fees === null) continue;
      const place = submissions < SUBSIDISED ? 'first' : 'beyond';
      submissions += 1;
      if (place === 'first') granted.push(COST_FACTOR * (now.price * subsidisedGas + now.dataFee));
      tooCheap += Number(fees.maxFeePerGas < now.price);
      spent[place] += limit * dearestPrice(place, fees, now.price) + now.dataFee;
      hidden[place] += now.dataFee - data.lower;
      if (now.outcome === 'executed') earned[place] += repaidWei;
      else if (place === 'beyond') lostFees += repaidWei;
      if (now.outcome === 'dropped') continue;
      inFlight.push({ isReverted: now.outcome === 'reverted' });
      break;
    }
    if (!isSlow) settle();
  }
  settle();
  return { spent, earned, lostFees, granted, hidden, tooCheap, reverted: unexecuted };
}

/** Reports of the only node, or of an honest one and one that lies. */
function reported(honest: bigint, said: bigint | null): Medians {
  if (said === null) return { lower: honest, higher: honest };
  return said < honest ? { lower: said, higher: honest } : { lower: honest, higher: said };
}
