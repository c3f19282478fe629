import { decimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { PriceBook } from '../routes/price-book.js';
import {
  bridged,
  FOREIGN_USDC,
  of,
  swap,
  transfer,
  USDC,
  WETH,
} from '../testing/quoted-route.fixture.js';
import { routeImpactIssue } from './price-impact.js';

const ETHER = 10n ** 18n;
const prices = PriceBook.in(
  'usd',
  new Map([
    [USDC, decimal(1n)],
    [FOREIGN_USDC, decimal(1n)],
    [WETH, decimal(1n)],
  ]),
);
const input = { ...of(USDC, 10_000_000n), symbol: 'USDC' };
const impact = (route: typeof swap, maxBps: number, allowsLoss = false) =>
  routeImpactIssue(route, { input, prices, maxBps, allowsLoss });
/** The swap of 9 USDC, after a fee of 1, to this much. */
const swapped = (units: bigint) => ({
  ...swap,
  legs: swap.legs.map((leg) => ({ ...leg, output: of(WETH, units) })),
});

describe('routeImpactIssue', () => {
  it('compares a conversion’s output with its input less fees', () => {
    expect(impact(swapped((81n * ETHER) / 10n), 1_000)).toBeNull();
    expect(impact(swapped((81n * ETHER) / 10n - 1n), 1_000)).toMatchObject({
      kind: 'amount',
      asset: USDC,
      given: '10',
      source: 'uniswap_v3',
      reason: 'UNEXPECTEDLY_LOW',
    });
    expect(impact(swapped(10n * ETHER), 1_000)).toMatchObject({ reason: 'UNEXPECTEDLY_HIGH' });
  });

  it('compares a bridge’s delivery with what is sent', () => {
    expect(impact(bridged, 1_000)).toBeNull();
    expect(impact(bridged, 100)).toMatchObject({
      source: 'intent_escrow',
      reason: 'UNEXPECTEDLY_LOW',
    });
  });

  it('accepts a loss where the request does', () => {
    expect(impact(swapped(1n), 1_000, true)).toBeNull();
    expect(impact(bridged, 100, true)).toBeNull();
    expect(impact(swapped(10n * ETHER), 1_000, true)).toMatchObject({
      reason: 'UNEXPECTEDLY_HIGH',
    });
  });

  it('finds no impact in a transfer', () => {
    expect(impact(transfer, 0)).toBeNull();
  });
});
