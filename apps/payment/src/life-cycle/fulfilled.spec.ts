import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  minAmount,
  parseAmount,
} from '@bascule/amounts';
import type { FulfilledStep, PlannedFee, RouteChange } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aPayment, aSettlement, built, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import { aBoughtPayment, anOpenedPayment, reportOrder } from '../testing/a-checkout.fixture.js';
import type { PaymentBuilder } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, FEE_RECEIVER, USDC, WETH } from '../testing/a-quote.fixture.js';
import { aMinedWithdrawal, withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import { applyDeadlines } from './deadlines.js';
import { forgetDeposits } from './funding.js';
import { fulfilledFees } from './fulfilled-fees.js';
import { fulfilledRoute } from './fulfilled.js';
import { legAttemptFailed, legFailed, legSettled } from './legs.js';
import type { PaymentRecord } from './payment-record.js';

const statuses = (payment: PaymentRecord) => fulfilledRoute(payment).map(({ status }) => status);
const total = (changes: readonly RouteChange[], asset: string): bigint =>
  changes
    .filter(({ resource }) => resource.asset === asset)
    .reduce((sum, { amount }) => sum + parseAmount(amount, 18), 0n);
/** Units of an asset that a step consumes and does not produce. */
const used = ({ net_effect: { consume, produce } }: FulfilledStep, asset: string): bigint =>
  total(consume, asset) - total(produce, asset);
const failure = { reason: 'reverted', message: '' } as const;

describe('fulfilledRoute', () => {
  it('is the quoted route until the first deposit', () => {
    const payment = aPayment().build();
    const route = fulfilledRoute(payment);
    expect(route).toEqual(payment.quoted.route.map((step) => ({ ...step, status: 'PENDING' })));
  });

  it('shows deposits with their transactions', () => {
    const payment = aPayment().deposited({ amount: 100_000_001n, transactionHash: HASH }).build();
    const [funding, leg] = fulfilledRoute(payment);
    expect(funding).toMatchObject({
      status: 'COMPLETE',
      transaction_hash: HASH,
      net_effect: {
        consume: [{ account: 'USER', amount: '100.000001', tx_id: HASH }],
        produce: [{ account: 'SPW', amount: '100.000001', tx_id: HASH }],
      },
    });
    expect(leg).toMatchObject({ status: 'PENDING' });
    expect(leg).not.toHaveProperty('transaction_hash');
  });

  it('keeps the fiat amount that an onramp charged', () => {
    const payment = aBoughtPayment().deposited({ amount: 99_700_000n }).build();
    expect(fulfilledRoute(payment)[0]?.net_effect).toMatchObject({
      consume: [{ account: 'USER', resource: { asset: 'usd' }, amount: '103' }],
      produce: [{ account: 'SPW', resource: { asset: USDC }, amount: '99.7' }],
    });
  });

  it('shows the exact amounts of a settled leg', () => {
    const [, leg] = fulfilledRoute(aPayment().complete().build());
    const short = (changes: readonly RouteChange[] | undefined) =>
      changes?.map(({ account, resource, amount }) => [account, resource.asset, amount]);
    expect(leg).toMatchObject({ status: 'COMPLETE', transaction_hash: HASH });
    expect(short(leg?.net_effect.consume)).toEqual([['SPW', USDC, '100']]);
    expect(short(leg?.net_effect.produce)).toEqual([
      ['DEST', WETH, '0.0329'],
      ['SERVICE', USDC, '1'],
    ]);
    expect(leg?.net_effect.produce.every(({ tx_id }) => tx_id === HASH)).toBe(true);
  });

  it('keeps the effects of custom actions, with their transaction', () => {
    const effect: RouteChange = {
      account: 'DEST',
      resource: { asset: WETH, property: 'APPROVAL' },
      amount: '0.01',
    };
    const payment = aPayment().complete().build();
    const route = payment.quoted.route.map((step) => ({
      ...step,
      net_effect: { ...step.net_effect, produce: [...step.net_effect.produce, effect] },
    }));
    const shown = fulfilledRoute({ ...payment, quoted: { ...payment.quoted, route } });
    expect(shown.at(-1)?.net_effect.produce).toContainEqual({ ...effect, tx_id: HASH });
  });

  it('shows each paid fee at its receiver, and no fee that was not paid', () => {
    const paid = withBusinessFee().complete({ input: 99_500_000n, fees: [0n, 500_000n] });
    const produced = fulfilledRoute(paid.build())[1]?.net_effect.produce;
    expect(produced?.map(({ account, amount }) => [account, amount])).toEqual([
      ['DEST', '0.0329'],
      ['REV_SHARE', '0.5'],
    ]);
  });

  it('conserves every asset but the two of the conversion, for any amounts', () => {
    const units = fc.bigInt(0n, 10n ** 24n);
    fc.assert(
      fc.property(units, units, units, (input, fee, output) => {
        const payment = aPayment()
          .complete({ input, fees: [fee], output })
          .build();
        const [funding, conversion] = fulfilledRoute(payment);
        if (!funding || !conversion) throw new Error('expected two steps');
        expect(used(funding, USDC)).toBe(0n);
        expect(used(conversion, USDC)).toBe(input * 10n ** 12n);
        expect(used(conversion, WETH)).toBe(-output);
      }),
    );
  });

  it('conserves value, and charges no fee because of tokens sent by hand to an onramp', () => {
    const units = fc.bigInt(1n, 150_000_000n);
    const sent = fc.array(fc.record({ amount: units, blockNumber: fc.bigInt(1n, 20n) }), {
      maxLength: 4,
    });
    // The fiat is worth 103.
    const delivered = fc.option(fc.bigInt(95_000_000n, 103_000_000n), { nil: undefined });
    const checkout = fc.constantFrom(...CHECKOUTS);
    fc.assert(
      fc.property(sent, delivered, checkout, (byHand, delivery, state) => {
        const payment = anOnrampPaymentWith(byHand, delivery, state);
        const arrived = payment.deposits.reduce((sum, { amount }) => sum + amount, 0n);
        const funding = fulfilledRoute(payment).filter(
          ({ type, transaction_hash }) => type !== 'ONCHAIN_STEP' && transaction_hash !== undefined,
        );
        const produced = funding.map(({ net_effect }) => total(net_effect.produce, USDC));
        expect(produced.reduce((sum, each) => sum + each, 0n)).toBe(arrived * 10n ** 12n);
        const lost = funding.map((step) => [step.type, used(step, USDC), used(step, 'usd')]);
        const expected = funding.map(({ type }, index) =>
          type === 'ONRAMP' ? [type, -(produced[index] ?? 0n), 103n * 10n ** 18n] : [type, 0n, 0n],
        );
        expect(lost).toEqual(expected);
        const { conversion_fees, total_fees } = fulfilledFees(payment);
        expect([conversion_fees, total_fees].filter((fee) => fee.startsWith('-'))).toEqual([]);
      }),
    );
  });

  it('shows its progress', () => {
    expect(statuses(aPayment().deposited({ amount: 1n }).build())).toEqual(['PENDING', 'PENDING']);
    expect(statuses(aPayment().executing().build())).toEqual(['COMPLETE', 'PENDING']);
    expect(statuses(aPayment().complete().build())).toEqual(['COMPLETE', 'COMPLETE']);
    const failed = legFailed(aPayment().executing().build(), 0, failure, minutesAfter(3));
    expect(statuses(failed)).toEqual(['COMPLETE', 'FAILED']);
    const reorganised = forgetDeposits(aPayment().executing().build(), 'alphanet', 1n);
    expect(statuses(reorganised)).toEqual(['PENDING', 'PENDING']);
    const tried = legAttemptFailed(aPayment().executing().build(), 0, failure, minutesAfter(3));
    expect(statuses(tried)).toEqual(['COMPLETE', 'ATTEMPT_FAILED']);
    const withdrawing = aPayment().with(withdrawingFrom('PENDING'));
    expect(statuses(withdrawing.build())).toEqual(['PENDING', 'PENDING']);
    const expired = applyDeadlines(aPayment().build(), minutesAfter(11), minutesAfter(11));
    expect(statuses(expired)).toEqual(['FAILED', 'UNREACHABLE']);
  });

  it('is complete when a leg pays out that a withdrawal had interrupted', () => {
    const interrupted = aPayment()
      .executing()
      .with({ withdrawals: [aMinedWithdrawal(30n)] })
      .changed(
        (payment) => legAttemptFailed(payment, 0, failure, minutesAfter(4)),
        minutesAfter(3),
      );
    expect(interrupted.build().fundedInFullAt).toBeNull();
    // A reorg makes the leg's transaction come first after all.
    const settled = interrupted.changed(
      (payment, now) => legSettled(payment, 0, aSettlement(), HASH, now),
      minutesAfter(4),
    );
    expect(settled.build().status).toBe('COMPLETE');
    expect(statuses(settled.build())).toEqual(['COMPLETE', 'COMPLETE']);
  });
});

const CHECKOUTS = ['OPEN', 'PAID', 'DELIVERED', 'PAID_LATE'] as const;

/** An onramp's payment with tokens sent by hand, paid out at the quote's prices where it is funded. */
function anOnrampPaymentWith(
  byHand: { amount: bigint; blockNumber: bigint }[],
  delivered: bigint | undefined,
  checkout: (typeof CHECKOUTS)[number],
): PaymentRecord {
  const isPaid = checkout === 'PAID' || checkout === 'DELIVERED';
  let builder = isPaid ? aBoughtPayment() : anOpenedPayment();
  for (const deposit of byHand) builder = builder.deposited(deposit);
  if (delivered !== undefined) {
    builder = builder.deposited({ amount: delivered, blockNumber: 10n, transactionHash: HASH });
  }
  const { fundedInFullAt, deposits } = builder.build();
  const arrived = deposits.reduce((sum, { amount }) => sum + amount, 0n);
  if (fundedInFullAt !== null) {
    const input = minAmount(arrived, 105_000_000n) - 1_000_000n;
    builder = builder.paidOut({ input, output: (input * 10n ** 12n) / 3_000n });
  }
  const order = {
    status: 'DELIVERED',
    paidAt: minutesAfter(checkout === 'PAID_LATE' ? 3.5 : 0.5),
    transactionHash: HASH,
    askedAt: minutesAfter(4),
  } as const;
  const isNamed = checkout === 'DELIVERED' || checkout === 'PAID_LATE';
  return isNamed ? builder.changed(reportOrder(order), minutesAfter(4)).build() : builder.build();
}

function withBusinessFee(): PaymentBuilder {
  const plan = aPlan();
  const fees: PlannedFee[] = [
    { kind: 'network', receiver: FEE_RECEIVER, amount: '1000000' },
    { kind: 'business', receiver: FEE_RECEIVER, amount: '500000' },
  ];
  const legs = plan.legs.map((leg) => ({ ...leg, fees }));
  return built({ quote: aQuote(), plan: { ...plan, legs } });
}

describe('fulfilledFees', () => {
  it('are zero until the payout', () => {
    expect(fulfilledFees(aPayment().executing().build())).toEqual({
      total_fees: '0',
      conversion_fees: '0',
      network_fees: '0',
      business_fees: '0',
      currency_symbol: 'usd',
    });
  });

  it('are the value of the input minus that of the output', () => {
    expect(fulfilledFees(aPayment().complete().build())).toMatchObject({
      total_fees: '1.3',
      conversion_fees: '0.3',
      network_fees: '1',
      business_fees: '0',
    });
  });

  it('include the fiat that the customer paid', () => {
    expect(fulfilledFees(aBoughtPayment().complete().build())).toMatchObject({
      total_fees: '4.3',
      conversion_fees: '3.3',
    });
  });

  it('show what a business received apart', () => {
    const payment = withBusinessFee().complete({
      input: 98_500_000n,
      fees: [1_000_000n, 500_000n],
    });
    expect(fulfilledFees(payment.build())).toMatchObject({
      total_fees: '1.3',
      conversion_fees: '-0.2',
      network_fees: '1',
      business_fees: '0.5',
    });
  });

  it('are zero without prices', () => {
    const payment = aPayment().complete().with({ currentPrices: {} }).build();
    expect(fulfilledFees(payment)).toMatchObject({ total_fees: '0', network_fees: '0' });
  });

  it('add up', () => {
    // Up to slightly more than the input is worth; conversions that gained have negative fees.
    const outputs = fc.bigInt(0n, 34n * 10n ** 15n);
    fc.assert(
      fc.property(outputs, fc.bigInt(0n, 10n ** 6n), (output, fee) => {
        const payment = aPayment()
          .complete({ output, fees: [fee] })
          .build();
        const fees = fulfilledFees(payment);
        const isNegative = [fees.total_fees, fees.conversion_fees].some((x) => x.startsWith('-'));
        fc.pre(!isNegative);
        const parts = [fees.conversion_fees, fees.network_fees, fees.business_fees];
        expect(formatDecimal(addDecimals(...parts))).toBe(fees.total_fees);
        expect(compareDecimals(fees.total_fees, fees.network_fees)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
