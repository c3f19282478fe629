import { describe, expect, it } from '@jest/globals';
import type { Deposit } from '../life-cycle/payment-record.js';
import { anOpenedPayment, reportOrder } from '../testing/a-checkout.fixture.js';
import { aDeposit, aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { USDT } from '../testing/a-quote.fixture.js';
import { placeDeposits, SINGLE_DEPOSITS } from './deposit-room.js';

const deposits = (count: number, over: Partial<Deposit> = {}): Deposit[] =>
  Array.from({ length: count }, () => aDeposit({ amount: 1n, ...over }));
const withKnown = (...known: Deposit[]) => ({ ...aPayment().build(), deposits: known });

describe('placeDeposits', () => {
  it('tells all deposits apart while there is room', () => {
    const arrived = deposits(SINGLE_DEPOSITS);
    expect(placeDeposits(withKnown(), arrived)).toEqual({
      single: arrived,
      summed: [],
      absorbed: [],
    });
  });

  it('sums the smallest ones beyond the room', () => {
    const [large, dust] = [aDeposit({ amount: 2n }), deposits(SINGLE_DEPOSITS + 3)];
    const placed = placeDeposits(withKnown(), [...dust, large]);
    expect(placed.single).toContain(large);
    expect(placed.single).toHaveLength(SINGLE_DEPOSITS);
    expect(placed.summed).toHaveLength(4);
  });

  it('gives the place of known dust to a larger deposit', () => {
    const known = deposits(SINGLE_DEPOSITS);
    const arrived = aDeposit({ amount: 2n });
    const placed = placeDeposits(withKnown(...known), [arrived]);
    expect(placed.single).toEqual([arrived]);
    expect(placed.absorbed).toHaveLength(1);
  });

  it('leaves the room of planned tokens to them, however valuable others are', () => {
    const foreign = deposits(SINGLE_DEPOSITS * 2, { token: USDT, amount: 10n ** 12n });
    const [payment, own] = [withKnown(), aDeposit({ amount: 1n })];
    const { [USDT]: _, ...decimals } = payment.decimals;
    const placed = placeDeposits({ ...payment, decimals }, [...foreign, own]);
    expect(placed.single).toContain(own);
    expect(placed.single).toHaveLength(SINGLE_DEPOSITS + 1);
  });

  it('ranks other tokens by their value', () => {
    const cheap = deposits(SINGLE_DEPOSITS, { token: USDT, amount: 10n ** 12n, usdPrice: null });
    const priced = aDeposit({ token: USDT, amount: 1n, usdPrice: '1' });
    const payment = withKnown();
    const { [USDT]: _, ...decimals } = payment.decimals;
    expect(placeDeposits({ ...payment, decimals }, [...cheap, priced]).single).toContain(priced);
  });

  it('keeps a delivery apart that a checkout names, however small it is', () => {
    const delivery = aDeposit({ amount: 1n });
    const { transactionHash } = delivery;
    const named = { status: 'DELIVERED', transactionHash, askedAt: minutesAfter(1) } as const;
    const payment = anOpenedPayment().changed(reportOrder(named), minutesAfter(1)).build();
    const placed = placeDeposits(payment, [...deposits(90, { amount: 5n }), delivery]);
    expect(placed.single).toContain(delivery);
  });
});
