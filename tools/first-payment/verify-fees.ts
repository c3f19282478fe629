import type { Payment, RouteChange } from '@bascule/contracts';
import { formatUnits, parseUnits } from 'viem';
import { check, checkEqual } from './check.js';

type Priced = Pick<Payment, 'quoted' | 'fulfilled' | 'current_prices' | 'price_currency'>;

/** Values are in units of 10^-36 of the currency: an amount and a price have at most 18 decimals each. */
const DECIMALS = 18;
const value = (decimal: string): bigint => parseUnits(decimal, 2 * DECIMALS);
/** The service rounds values to the eighth decimal. */
const ROUNDING = value('0.00000001');

/**
 * Recomputes the fees from the payment's route and prices: they add up, gas and revenue share are what the route pays
 * for them, and there is nothing else between what the user gave and what comes out, but what stays in the wallet.
 */
export function checkFees(payment: Priced, side: 'quoted' | 'fulfilled'): void {
  const { fees, route, output_amount } = payment[side];
  const worth = (asset: string, amount: string): bigint =>
    parseUnits(amount, DECIMALS) * parseUnits(payment.current_prices[asset] ?? '0', DECIMALS);
  const sumOf = (changes: RouteChange[]): bigint =>
    changes.reduce((sum, { resource, amount }) => sum + worth(resource.asset, amount), 0n);
  const moved = (way: 'consume' | 'produce', by: string): bigint =>
    sumOf(
      route.flatMap(({ net_effect }) => net_effect[way].filter(({ account }) => account === by)),
    );
  const paidTo = (receiver: string): bigint => moved('produce', receiver);
  const [total, conversion, network, business] = [
    value(fees.total_fees),
    value(fees.conversion_fees),
    value(fees.network_fees),
    value(fees.business_fees),
  ];
  const input = moved('consume', 'USER');
  const output = worth(output_amount.asset, output_amount.amount);
  // Nobody is quoted to send more than is taken.
  const kept = side === 'quoted' ? 0n : paidTo('SPW') - moved('consume', 'SPW');

  checkEqual(`${side} fees are in the currency`, fees.currency_symbol, payment.price_currency);
  checkEqual(`${side} fees add up`, total, conversion + network + business);
  check(`${side} input and output have prices`, input > 0n && output > 0n);
  checkSame(`${side} network fees are what the route pays for gas`, network, paidTo('SERVICE'));
  checkSame(`${side} business fees are the revenue share`, business, paidTo('REV_SHARE'));
  checkSame(`${side} input less fees is the output`, input - kept - total, output);
}

function checkSame(claim: string, actual: bigint, expected: bigint): void {
  const difference = actual > expected ? actual - expected : expected - actual;
  const [shown, due] = [actual, expected].map((each) => formatUnits(each, 2 * DECIMALS));
  check(claim, difference < ROUNDING, { actual: shown, expected: due });
}
