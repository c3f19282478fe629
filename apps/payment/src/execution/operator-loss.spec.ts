import { describe, expect, it } from '@jest/globals';
import type { MarketFees, Medians } from '@bascule/chain';
import { boundedFees } from '@bascule/transactions';
import fc from 'fast-check';
import {
  isWalletRefundDue,
  walletRefundFailed,
  walletRefundSubmitted,
} from '../life-cycle/wallet-refunds.js';
import type { Leg, PaymentRecord } from '../life-cycle/payment-record.js';
import { bridging, ORDER_ID, seen } from '../testing/a-bridged-payment.fixture.js';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { legCostBound, legGasBounds } from './leg-gas.js';
import { afterFailure } from './leg-schedule.js';
import { walletRefundBounds } from './wallet-refund-bounds.js';
import type { RefundPrices } from './wallet-refund-bounds.js';

const REVERTED = { reason: 'reverted', message: 'The transaction was reverted.' } as const;
const START = Date.parse('2026-11-21T12:00:00Z');

/** Chain at one attempt, and what foreign code makes of it. */
const attempt = fc.record({
  baseFee: fc.bigInt(0n, 10n ** 12n),
  tip: fc.bigInt(0n, 10n ** 11n),
  /** Gas that the simulation finds and that the block then uses, as shares of the limit. */
  estimatePpm: fc.bigInt(1n, 1_000_000n),
  dataFee: fc.bigInt(0n, 10n ** 15n),
  /** Data fee that the other one of two nodes reports. */
  said: fc.oneof(fc.constant(null), fc.bigInt(0n, 10n ** 24n)),
  isSuccess: fc.boolean(),
});
const plannedLeg = fc.record({
  gas: fc.bigInt(200_000n, 2_000_000n),
  price: fc.bigInt(1n, 10n ** 12n),
  dataFee: fc.bigInt(0n, 10n ** 15n),
  calls: fc.boolean(),
});
const life = fc.record({
  legs: fc.array(plannedLeg, { minLength: 1, maxLength: 3 }),
  attempts: fc.array(attempt, { maxLength: 60 }),
  maxTransactions: fc.integer({ min: 1, max: 6 }),
  factor: fc.bigInt(1n, 5n),
});

describe('the gas that the operator spends on a payment', () => {
  it('is at most a multiple of what its network fees repay, whatever prices and foreign code do', () => {
    fc.assert(
      fc.property(life, ({ legs, attempts, maxTransactions, factor }) => {
        const payment = paymentOf(legs);
        const patience = { patienceMs: 3_600_000, retryMs: 1, maxTransactions };
        const charged = legs.map(repaidBy).reduce((sum, each) => sum + each, 0n);
        const world = [...attempts];
        let [spent, hidden] = [0n, 0n];
        for (const [index, { calls }] of legs.entries()) {
          const each = spentOn(payment, index, { calls, world, factor, patience });
          spent += each.spent;
          hidden += each.hidden;
        }
        const bound = BigInt(maxTransactions) * factor * charged + hidden;
        expect(spent <= bound).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is bounded by the gas limit alone for plans of older versions', () => {
    expect(legCostBound(aPayment().build(), 0, 3n)).toEqual({});
  });
});

describe('the gas that the operator spends on refunds to the wallet', () => {
  it('suffices at any price and any data fee, whatever one of two nodes says', () => {
    fc.assert(
      fc.property(
        attempt,
        fc.bigInt(100_000n, 1_000_000n),
        fc.bigInt(1n, 5n),
        (now, gas, factor) => {
          const prices = refundPrices(now);
          const { maxCost } = walletRefundBounds(gas, prices, factor);
          const { dataFee } = prices;
          expect(boundedFees(marketAt(now), { gasLimit: gas, dataFee, maxCost })).not.toBeNull();
        },
      ),
    );
  });

  it('is at most a multiple of their usual gas at the prices of their time, for the transactions of a leg', () => {
    fc.assert(
      fc.property(
        fc.array(attempt, { maxLength: 20 }),
        fc.bigInt(100_000n, 1_000_000n),
        fc.integer({ min: 1, max: 6 }),
        fc.bigInt(1n, 5n),
        (attempts, gas, maxTransactions, factor) => {
          const spent = spentOnRefunds(attempts, { gas, maxTransactions, factor });
          expect(spent.length).toBeLessThanOrEqual(maxTransactions);
          for (const { cost, usual, hidden } of spent) {
            expect(cost <= factor * usual + hidden).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

type Planned = typeof plannedLeg extends fc.Arbitrary<infer T> ? T : never;
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

const repaidBy = ({ gas, price, dataFee }: Planned): bigint => gas * price + dataFee;

function paymentOf(legs: readonly Planned[]): PaymentRecord {
  const payment = aPayment().build();
  const [first] = payment.plan.legs;
  if (!first) throw new Error('a payment has a leg');
  const planned = legs.map((leg) => ({
    ...first,
    gas_limit: (2n * leg.gas + 100_000n).toString(),
    gas: leg.gas.toString(),
    gas_cost: repaidBy(leg).toString(),
  }));
  return { ...payment, plan: { ...payment.plan, legs: planned } };
}

interface Execution {
  calls: boolean;
  world: Attempt[];
  factor: bigint;
  patience: { patienceMs: number; retryMs: number; maxTransactions: number };
}

/** Plays one leg as `LegStartService` and `TransactionSender` do: every attempt uses its whole limit at its whole fee. */
function spentOn(
  payment: PaymentRecord,
  index: number,
  { calls, world, factor, patience }: Execution,
): { spent: bigint; hidden: bigint } {
  const call = {
    target: '0x1111111111111111111111111111111111111111',
    value: 0n,
    data: '0x',
  } as const;
  const bounds = legGasBounds(payment, index, { customCalls: calls ? [call] : [] });
  const { maxCost = null } = legCostBound(payment, index, factor);
  let [spent, hidden] = [0n, 0n];
  let leg: Leg = { ...(payment.legs[0] as Leg), index, attempts: 0 };
  for (let now = world.shift(); now; now = world.shift()) {
    if (leg.attempts >= patience.maxTransactions) break;
    const limit =
      'gasLimit' in bounds ? bounds.gasLimit : 1n + (bounds.maxGas * now.estimatePpm) / 1_000_001n;
    const dataFee = reported(now);
    const fees = boundedFees(marketAt(now), { gasLimit: limit, dataFee, maxCost });
    if (fees === null) continue;
    hidden += now.dataFee - dataFee.lower;
    spent += limit * fees.maxFeePerGas + now.dataFee;
    leg = { ...leg, attempts: leg.attempts + 1 };
    if (now.isSuccess) break;
    const verdict = afterFailure(leg, REVERTED, patience, new Date(START));
    if (verdict.next === 'give_up' || calls) break;
    leg = { ...leg, failure: verdict.failure };
  }
  return { spent, hidden };
}

const marketAt = ({ baseFee, tip }: Attempt): MarketFees => ({
  ...{ maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip },
  ...{ price: baseFee + tip, higherPrice: baseFee + tip },
});

/** Data fee as the only node reports it, or an honest one and one that lies. */
function reported({ dataFee, said }: Attempt): Medians {
  if (said === null) return { lower: dataFee, higher: dataFee };
  return said < dataFee ? { lower: said, higher: dataFee } : { lower: dataFee, higher: said };
}

/** Prices that bound a refund. */
const refundPrices = (now: Attempt): RefundPrices => ({
  gasPrice: { lower: now.baseFee + now.tip, higher: now.baseFee + now.tip },
  dataFee: reported(now),
});

/** Plays refunds as `WalletRefundsService` and `TransactionSender` do; each uses its whole limit at its whole fee. */
function spentOnRefunds(
  attempts: readonly Attempt[],
  { gas, maxTransactions, factor }: { gas: bigint; maxTransactions: number; factor: bigint },
): { cost: bigint; usual: bigint; hidden: bigint }[] {
  const spent: { cost: bigint; usual: bigint; hidden: bigint }[] = [];
  let payment = bridging()
    .changed(seen({ kind: 'unfilled' }), minutesAfter(5))
    .build();
  for (const now of attempts) {
    const [leg] = payment.legs;
    if (!leg?.transfer || !isWalletRefundDue(payment, leg, maxTransactions)) break;
    const prices = refundPrices(now);
    const { maxGas, maxCost } = walletRefundBounds(gas, prices, factor);
    const limit = 1n + (maxGas * now.estimatePpm) / 1_000_001n;
    const fees = boundedFees(marketAt(now), { gasLimit: limit, dataFee: prices.dataFee, maxCost });
    // Only gas that is above the usual makes a refund too expensive.
    expect(fees !== null || limit > gas * factor).toBe(true);
    if (fees === null) continue;
    const usual = gas * prices.gasPrice.higher + prices.dataFee.higher;
    const hidden = now.dataFee - prices.dataFee.lower;
    spent.push({ cost: limit * fees.maxFeePerGas + now.dataFee, usual, hidden });
    const attempt = leg.transfer.walletRefund.attempts + 1;
    payment = walletRefundSubmitted(payment, 0, { transferId: ORDER_ID, attempt });
    if (now.isSuccess) break;
    payment = walletRefundFailed(payment, 0, attempt, minutesAfter(6));
  }
  return spent;
}
