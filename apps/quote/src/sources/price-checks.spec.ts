import { decimal, parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import type { Amount } from '../routes/amount.js';
import { MissingPriceError, PriceBook } from '../routes/price-book.js';
import { FOREIGN_USDC, of, USDC as STABLE } from '../testing/quoted-route.fixture.js';
import {
  bridgeQuoteIssue,
  MAX_BRIDGE_RATE,
  MAX_ONRAMP_RATE,
  onrampLatencyIssue,
  overvaluedDeliveryIssue,
  priceImpactIssue,
} from './price-checks.js';

const USDC = 'alphanet:0x1';
const WETH = 'alphanet:0x2';
const prices = PriceBook.in(
  'usd',
  new Map([
    [USDC, parseDecimal('1')],
    [WETH, parseDecimal('3000')],
  ]),
);
/** Issue of a conversion of 3000 dollars, without fees. */
const impactOf = (outputUnits: bigint, maxBps = 1_000, output = WETH, allowsLoss = false) => {
  const input = { asset: USDC, symbol: 'USDC', decimals: 6, units: 3_000_000_000n };
  return priceImpactIssue({
    input,
    converted: input,
    output: { asset: output, decimals: 18, units: outputUnits },
    venue: 'uniswap_v3',
    maxBps,
    allowsLoss,
    prices,
  });
};
const ETHER = 10n ** 18n;

describe('onrampLatencyIssue', () => {
  it('rejects a time to deliver of more than thirty days', () => {
    expect(onrampLatencyIssue('swiftramp', 30 * 86_400)).toBeNull();
    expect(onrampLatencyIssue('swiftramp', Number.MAX_SAFE_INTEGER)).toMatchObject({
      kind: 'provider',
    });
  });
});

describe('priceImpactIssue', () => {
  it('accepts an output within the bound, the bound included', () => {
    for (const tenths of [9n, 10n, 11n]) expect(impactOf((ETHER * tenths) / 10n)).toBeNull();
  });

  it('reports an output worth too little', () => {
    expect(impactOf((ETHER * 9n) / 10n - 1n)).toEqual({
      kind: 'amount',
      asset: USDC,
      given: '3000',
      limits: {},
      source: 'uniswap_v3',
      message:
        'Given amount is 3000 USDC, but the output of uniswap_v3 is worth over 10 % less than its input.',
      reason: 'UNEXPECTEDLY_LOW',
    });
  });

  it('reports an output worth too much', () => {
    expect(impactOf((ETHER * 11n) / 10n + 1n)).toMatchObject({ reason: 'UNEXPECTEDLY_HIGH' });
  });

  it('accepts any loss where the request does, and no surplus', () => {
    expect(impactOf(1n, 1_000, WETH, true)).toBeNull();
    const tooMuch = impactOf((ETHER * 11n) / 10n + 1n, 1_000, WETH, true);
    expect(tooMuch).toMatchObject({ reason: 'UNEXPECTEDLY_HIGH' });
  });

  it('applies the configured bound', () => {
    expect(impactOf((ETHER * 98n) / 100n, 100)).toMatchObject({ reason: 'UNEXPECTEDLY_LOW' });
    expect(impactOf(ETHER / 100n, 20_000)).toBeNull();
  });

  it('requires a price', () => {
    expect(() => impactOf(ETHER, 1_000, 'alphanet:0x3')).toThrow(MissingPriceError);
  });
});

describe('overvaluedDeliveryIssue', () => {
  const etherPrices = PriceBook.in(
    'usd',
    new Map([
      ['usd', decimal(1n)],
      ['alphanet:0x', decimal(2_000n)],
    ]),
  );
  const usd = (units: bigint) => ({ asset: 'usd', decimals: 2, units });
  const ether = (units: bigint) => ({ asset: 'alphanet:0x', decimals: 18, units });
  const issue = (paid: Amount, delivered: Amount, maxRate = MAX_ONRAMP_RATE) =>
    overvaluedDeliveryIssue({ source: 'swiftramp', paid, delivered, maxRate, prices: etherPrices });

  it('accepts a delivery worth less than the payment, or slightly more', () => {
    expect(issue(usd(200_000n), ether(10n ** 18n))).toBeNull();
    expect(issue(usd(195_000n), ether(10n ** 18n))).toBeNull();
  });

  it('rejects a delivery worth clearly more than the payment', () => {
    expect(issue(usd(100_000n), ether(10n ** 18n))).toMatchObject({ kind: 'provider' });
    expect(issue(usd(195_000n), ether(10n ** 18n), MAX_BRIDGE_RATE)).not.toBeNull();
  });
});

const bridgePrices = PriceBook.in(
  'usd',
  new Map([
    [STABLE, parseDecimal('0.9998')],
    [FOREIGN_USDC, parseDecimal('1.0003')],
  ]),
);
const quoteOf100 = (delivered: bigint, latencySeconds = 12, book = bridgePrices) =>
  bridgeQuoteIssue({
    quote: { bridge: 'escrow', adapter: '0x', delivered, latencySeconds },
    sent: of(STABLE, 100_000_000n),
    delivered: of(FOREIGN_USDC, delivered),
    prices: book,
  });

describe('bridgeQuoteIssue', () => {
  it('accepts a fee, and prices that differ slightly between chains', () => {
    for (const delivered of [1n, 99_000_000n, 99_999_999n])
      expect(quoteOf100(delivered)).toBeNull();
  });

  it.each([0n, -1n, 102_000_000n, 10n ** 30n, 2n ** 256n])(
    'rejects a delivery of %s for 100',
    (delivered) => {
      expect(quoteOf100(delivered)).toMatchObject({ kind: 'provider' });
    },
  );

  it.each([-1, NaN, Infinity, 86_401])('rejects a latency of %s seconds', (seconds) => {
    expect(quoteOf100(99_000_000n, seconds)).toMatchObject({ kind: 'provider' });
  });

  it('requires a price', () => {
    const empty = PriceBook.in('usd', new Map());
    expect(() => quoteOf100(1n, 12, empty)).toThrow(MissingPriceError);
  });
});
