import { addDecimals, formatDecimal, parseAmount } from '@bascule/amounts';
import type { FulfilledStep, ParkedFundIssue, RouteChange } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arrivedFor } from '../execution/leg-input.js';
import { paymentState, paymentView } from '../view/payment-view.js';
import {
  aBridgedPayment,
  aDelivery,
  aFill,
  aRefund,
  aTransfer,
  BETA_USDC,
  BETA_WETH,
  bridging,
  delivered,
  ESCROW,
  FILL_HASH,
  ORDER_ID,
  paidOut,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { aPolicy, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import { withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import { fulfilledFees } from './fulfilled-fees.js';
import { fulfilledRoute } from './fulfilled.js';
import { issuesOf } from './issues.js';
import { legFailed } from './legs.js';
import { isInBridge } from './open-transfers.js';
import type { PaymentRecord } from './payment-record.js';
import { heldOf, holdings, taken } from './wallet-ledger.js';

const at = minutesAfter(6);
const unfilled = () => bridging().changed(seen({ kind: 'unfilled' }), minutesAfter(5));
const refunded = () => unfilled().changed(seen(aRefund()), at);
const units = (low: bigint, high: bigint) => fc.bigInt(low, high);
const MILLION = 1_000_000n;

describe('the money of a cross-chain payment', () => {
  /** Places that hold the deposited money. */
  function origin(payment: PaymentRecord): bigint {
    const { settlement, transfer } = firstLeg(payment);
    const fees = settlement?.fees.reduce((sum, fee) => sum + fee, 0n) ?? 0n;
    const isAcross = isInBridge(firstLeg(payment));
    const back = transfer?.refunded ? transfer.refunded.amount + transfer.refunded.fee : 0n;
    const paidFor = transfer?.filled ? transfer.transfer.amount : 0n;
    return (
      heldOf(payment, USDC) +
      fees +
      (isAcross ? (transfer?.transfer.amount ?? 0n) : 0n) +
      back +
      paidFor
    );
  }
  const destination = (payment: PaymentRecord): bigint =>
    heldOf(payment, BETA_USDC) + payment.legs.slice(1).reduce((sum, leg) => sum + taken(leg), 0n);
  function firstLeg({ legs: [first] }: PaymentRecord) {
    if (!first) throw new Error('no legs');
    return first;
  }

  it('is accounted for at every step, for any amounts', () => {
    fc.assert(
      fc.property(
        units(1n, 99n * MILLION),
        units(0n, MILLION),
        units(1n, 200n * MILLION),
        units(1n, 50n * MILLION),
        (sent, fee, arrived, more) => {
          const first = { input: sent, fees: [fee], output: sent };
          const second = { input: arrived / 2n, fees: [0n] };
          const lost = bridging(first).changed(seen({ kind: 'unfilled' }), at);
          const refund = aRefund({ amount: sent - sent / 3n, fee: sent / 3n });
          const before = [
            aBridgedPayment().deposited(),
            aBridgedPayment().executing(),
            bridging(first),
            lost,
            lost.changed(seen(refund), at),
          ];
          const after = [delivered(arrived, first), paidOut(second, first, arrived)];
          for (const builder of [...before, ...after]) {
            const payment = builder.deposited({ amount: more, blockNumber: 2_000n }).build();
            expect(origin(payment)).toBe(100n * MILLION + more);
            expect(destination(payment)).toBe(after.includes(builder) ? arrived : 0n);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is available to the next leg as far as delivered and in the wallet', () => {
    const payment = delivered()
      .deposited(aDelivery({ transactionHash: HASH }))
      .build();
    expect(arrivedFor(payment, 1)).toBe(98_900_000n);
    expect(arrivedFor({ ...payment, deposits: payment.deposits.slice(0, 1) }, 1)).toBe(0n);
    expect(arrivedFor(bridging().build(), 1)).toBe(0n);
    expect(holdings(paidOut().build())).toEqual([]);
  });
});

describe('the fulfilled route across chains', () => {
  const total = (changes: readonly RouteChange[], asset: string): bigint =>
    changes
      .filter(({ resource }) => resource.asset === asset)
      .reduce((sum, { amount }) => sum + parseAmount(amount, 18), 0n);
  /** Units of an asset that a step consumes and does not produce. */
  const used = ({ net_effect: { consume, produce } }: FulfilledStep, asset: string): bigint =>
    total(consume, asset) - total(produce, asset);
  const assetsIn = ({ net_effect: { consume, produce } }: FulfilledStep): string[] => [
    ...new Set([...consume, ...produce].map(({ resource }) => resource.asset)),
  ];
  const statuses = (payment: PaymentRecord) => fulfilledRoute(payment).map(({ status }) => status);
  const short = (changes: readonly RouteChange[] | undefined) =>
    changes?.map(({ account, resource, amount, tx_id }) => [
      account,
      resource.asset,
      amount,
      tx_id,
    ]);

  it('shows its progress', () => {
    expect(statuses(aBridgedPayment().build())).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(statuses(bridging().build())).toEqual(['COMPLETE', 'PENDING', 'PENDING']);
    expect(statuses(delivered().build())).toEqual(['COMPLETE', 'COMPLETE', 'PENDING']);
    expect(statuses(paidOut().build())).toEqual(['COMPLETE', 'COMPLETE', 'COMPLETE']);
    expect(statuses(unfilled().build())).toEqual(['COMPLETE', 'FAILED', 'UNREACHABLE']);
    expect(statuses(refunded().build())).toEqual(['COMPLETE', 'FAILED', 'UNREACHABLE']);
  });

  it('shows what was sent, and the quoted amount of what is still to arrive', () => {
    const step = fulfilledRoute(bridging().build())[1];
    expect(short(step?.net_effect.consume)).toEqual([
      ['SPW', USDC, '100', HASH],
      ['BRIDGE', BETA_USDC, '98.9', undefined],
    ]);
    expect(short(step?.net_effect.produce)).toEqual([
      ['BRIDGE', USDC, '99', HASH],
      ['SERVICE', USDC, '1', HASH],
      ['SPW', BETA_USDC, '98.9', undefined],
    ]);
  });

  it('shows deliveries by transaction and omits those that cannot happen', () => {
    const arrived = fulfilledRoute(delivered(98_800_001n).build())[1];
    expect(short(arrived?.net_effect.produce)?.at(-1)).toEqual([
      'SPW',
      BETA_USDC,
      '98.800001',
      FILL_HASH,
    ]);
    const lost = bridging().changed(seen({ kind: 'lost' }), at);
    for (const payment of [unfilled().build(), refunded().build(), lost.build()]) {
      const { consume, produce } = fulfilledRoute(payment)[1]?.net_effect ?? {};
      const assets = [...(consume ?? []), ...(produce ?? [])].map((it) => it.resource.asset);
      expect(new Set(assets)).toEqual(new Set([USDC]));
    }
  });

  it('conserves every asset of every step but a conversion, for any amounts', () => {
    const any = units(0n, 10n ** 24n);
    fc.assert(
      fc.property(any, any, any, any, any, (sent, fee, arrived, fee2, output) => {
        const first = { input: sent, fees: [fee], output: sent };
        const second = { input: arrived, fees: [fee2], output };
        const paid = paidOut(second, first, arrived + 1n).build();
        for (const payment of [
          bridging(first).build(),
          bridging(first)
            .changed(seen({ kind: 'unfilled' }), at)
            .build(),
          delivered(arrived + 1n, first).build(),
          paid,
        ]) {
          for (const step of fulfilledRoute(payment).slice(0, 2)) {
            for (const asset of assetsIn(step)) expect(used(step, asset)).toBe(0n);
          }
        }
        const payout = fulfilledRoute(paid).slice(2);
        expect(payout.map((step) => used(step, BETA_USDC))).toEqual([arrived * 10n ** 12n]);
        expect(payout.map((step) => used(step, BETA_WETH))).toEqual([-output]);
      }),
      { numRuns: 50 },
    );
  });

  it('shows an intermediate token at the wallet and then at the bridge', () => {
    const payment = bridging().build();
    const [first, ...rest] = payment.plan.legs;
    if (!first) throw new Error('no legs');
    const legs = [{ ...first, input_token: USDT }, ...rest];
    const step = fulfilledRoute({ ...payment, plan: { ...payment.plan, legs } })[1];
    expect(short(step?.net_effect.consume)).toEqual([
      ['SPW', USDT, '100', HASH],
      ['SPW', USDC, '99', HASH],
      ['BRIDGE', BETA_USDC, '98.9', undefined],
    ]);
    expect(short(step?.net_effect.produce)).toEqual([
      ['BRIDGE', USDC, '99', HASH],
      ['SERVICE', USDT, '1', HASH],
      ['SPW', USDC, '99', HASH],
      ['SPW', BETA_USDC, '98.9', undefined],
    ]);
  });
});

describe('the fees paid across chains', () => {
  it('count the bridge among the conversions', () => {
    // 100 dollars became 98.4 dollars' worth of WETH: 1 and 0.5 for gas, 0.1 for the bridge.
    expect(fulfilledFees(paidOut().build())).toEqual({
      total_fees: '1.6',
      conversion_fees: '0.1',
      network_fees: '1.5',
      business_fees: '0',
      currency_symbol: 'usd',
    });
  });

  it('are zero until the payout', () => {
    expect(fulfilledFees(delivered().build()).total_fees).toBe('0');
    expect(fulfilledFees(refunded().build()).total_fees).toBe('0');
  });

  it('exclude what arrived and is left in the wallet', () => {
    const payment = paidOut({}, {}, 108_900_000n).build();
    expect(heldOf(payment, BETA_USDC)).toBe(10_000_000n);
    expect(fulfilledFees(payment)).toMatchObject({ conversion_fees: '-9.9', network_fees: '1.5' });
    const usual = paidOut({}, {}, 98_950_000n).build();
    expect(fulfilledFees(usual)).toMatchObject({ total_fees: '1.55', conversion_fees: '0.05' });
  });

  it('add up', () => {
    fc.assert(
      fc.property(units(1n, 100n * MILLION), units(0n, MILLION), (arrived, fee) => {
        const payment = paidOut(
          { input: arrived - 1n, fees: [1n] },
          { fees: [fee] },
          arrived,
        ).build();
        const fees = fulfilledFees(payment);
        const parts = [fees.conversion_fees, fees.network_fees, fees.business_fees];
        expect(formatDecimal(addDecimals(...parts))).toBe(fees.total_fees);
      }),
    );
  });
});

describe('the issues of a cross-chain payment', () => {
  const issues = (payment: PaymentRecord, minute = 6) =>
    issuesOf(payment, () => aPolicy, minutesAfter(minute));
  const parked = (payment: PaymentRecord, minute = 6) =>
    issues(payment, minute)
      .filter((issue): issue is ParkedFundIssue => issue.kind === 'parked_fund')
      .map(({ classification, token, balance, severity, withdraw_from }) => [
        classification,
        token,
        balance['#'],
        severity,
        withdraw_from?.withdraw_type === 'PAYMENT' ? withdraw_from.withdraw_account : null,
      ]);

  it('are empty while the money is in transit', () => {
    for (const payment of [
      bridging().build(),
      bridging()
        .deposited(aDelivery({ confirmed: false }))
        .build(),
      bridging().deposited(aDelivery()).build(),
      delivered().build(),
      paidOut().build(),
    ]) {
      expect(issues(payment)).toEqual([]);
    }
  });

  it.each(['INTENT', 'RDW'] as const)('name the account of the bridge: %s', (withdrawAccount) => {
    const payment = unfilled().build();
    const legs = payment.legs.map((leg) =>
      leg.transfer === null
        ? leg
        : {
            ...leg,
            transfer: { ...leg.transfer, transfer: aTransfer({ withdrawAccount }) },
          },
    );
    expect(parked({ ...payment, legs }).map((issue) => issue[4])).toEqual([withdrawAccount]);
    const { intent_orders: orders } = paymentState({ ...payment, legs }, aPolicy, at);
    expect(orders).toHaveLength(withdrawAccount === 'INTENT' ? 1 : 0);
  });

  it('report an unfilled order to the owner', () => {
    expect(parked(unfilled().build())).toEqual([['STUCK', USDC, '99000000', 'HIGH', 'INTENT']]);
    expect(issues(refunded().build())).toEqual([]);
  });

  it('report money that does not move as stalled, on any chain', () => {
    // An order that may still be filled cannot be refunded yet.
    expect(parked(bridging().build(), 12)).toEqual([['STALLED', USDC, '99000000', 'LOW', null]]);
    expect(parked(delivered().build(), 12)).toEqual([
      ['STALLED', BETA_USDC, '98900000', 'LOW', 'SPW'],
    ]);
  });

  it.each([
    ['reverted', 'STUCK'],
    ['slippage', 'SLIPPED'],
  ] as const)(
    'report money left by a second leg that failed with %s as %s',
    (reason, classification) => {
      const payment = legFailed(delivered().build(), 1, { reason, message: '' }, at);
      expect(parked(payment)).toEqual([[classification, BETA_USDC, '98900000', 'HIGH', 'SPW']]);
    },
  );

  it('separate deposits on the wrong chain from deliveries', () => {
    const missent = aBridgedPayment().deposited(aDelivery({ transactionHash: HASH }));
    expect(parked(missent.build())).toEqual([['MISSENT', BETA_USDC, '98900000', 'HIGH', 'SPW']]);
    expect(issues(missent.build())).toContainEqual({
      kind: 'funding',
      token: BETA_USDC,
      balance: { '#': '98900000' },
    });
    const both = delivered().deposited(aDelivery({ transactionHash: HASH, amount: 7_000_000n }));
    expect(parked(both.build())).toEqual([['MISSENT', BETA_USDC, '7000000', 'HIGH', 'SPW']]);
    const after = unfilled().deposited(aDelivery({ transactionHash: HASH, amount: 7_000_000n }));
    expect(parked(after.build())).toContainEqual(['MISSENT', BETA_USDC, '7000000', 'HIGH', 'SPW']);
    const later = paidOut().deposited(
      aDelivery({ transactionHash: HASH, amount: 7_000_000n, blockNumber: 70n }),
    );
    expect(parked(later.build())).toEqual([['MISSENT', BETA_USDC, '7000000', 'HIGH', 'SPW']]);
  });

  it('report an open order as stalled once its payment has ended', () => {
    const payment = bridging().build();
    const stalled = [['STALLED', USDC, '99000000', 'LOW', null]];
    expect(parked({ ...payment, status: 'EXPIRED' })).toEqual(stalled);
    expect(parked({ ...payment, ...withdrawingFrom('PENDING') })).toEqual([]);
  });

  it('report a delivery above the leg’s maximum as extra', () => {
    expect(parked(delivered(110_000_000n).build())).toEqual([
      ['EXTRA', BETA_USDC, '6155000', 'HIGH', 'SPW'],
    ]);
    expect(parked(paidOut({}, {}, 103_900_000n).build())).toEqual([
      ['EXTRA', BETA_USDC, '5000000', 'HIGH', 'SPW'],
    ]);
  });

  it('report what an executed leg left of the deposit', () => {
    const payment = unfilled().deposited({ amount: 3_000_000n, blockNumber: 1_100n }).build();
    expect(parked(payment)).toContainEqual(['EXTRA', USDC, '3000000', 'HIGH', 'SPW']);
  });

  it('offer no withdrawal on a chain without the owner’s contract', () => {
    const payment = delivered()
      .deposited({ token: USDT, amount: 3_000_000n })
      .deposited(aDelivery({ transactionHash: HASH }))
      .with({ ownerChains: ['alphanet'] })
      .build();
    expect(parked(payment).map(([, token, , , account]) => [token, account])).toEqual([
      [BETA_USDC, null],
      [USDT, 'SPW'],
    ]);
  });
});

describe('the view of a cross-chain payment', () => {
  const options = { policyOn: () => aPolicy, now: at, enableWithdrawPending: false };

  it('shows its wallet on both chains', () => {
    const payment = bridging().build();
    expect(paymentView(payment, options).processing_addresses).toEqual(
      ['alphanet', 'betanet'].map((chain) => ({
        chain,
        address: payment.walletAddress,
        factory: payment.declaration.factory,
      })),
    );
  });

  it('includes its orders for the withdrawal service', () => {
    const orders = (payment: PaymentRecord) => paymentState(payment, aPolicy, at).intent_orders;
    expect(orders(aBridgedPayment().build())).toEqual([]);
    expect(orders(bridging().changed(seen(aFill()), at).build())).toEqual([
      {
        leg_index: 0,
        chain: 'alphanet',
        escrow: ESCROW,
        order_id: ORDER_ID,
        order: aTransfer().details,
        token: USDC,
        amount: '99000000',
        status: 'FILLED',
        filled_amount: '98900000',
      },
    ]);
    expect(orders(bridging().build())?.[0]).not.toHaveProperty('filled_amount');
  });
});
