import { decimal, formatAmount, parseAmount, unitsOf } from '@bascule/amounts';
import { tokenIdentifier } from '@bascule/contracts';
import { BridgeRefusedError } from '@bascule/venues';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAboutAmount } from '../routes/amount-issue.js';
import { equalValue } from '../routes/amount.js';
import { sourceCaches } from '../routes/request-cache.js';
import { marketOf, someTerms, type Market } from '../testing/random-market.fixture.js';
import type { FixedAmount } from './requested-amount.js';

const RUNS = 1_000;
/** Enough for a share of named limits that hardly varies. */
const BRIDGE_RUNS = 4_000;
const TIMEOUT_MS = 180_000;
/** Shrinking takes longer than the test may. */
const settings = (numRuns: number) => ({ numRuns, endOnFailure: true });

/** Small amounts, at onramps that take up to 60 %. */
const smallAmounts = fc.record({
  terms: someTerms,
  value: fc.bigInt({ min: 1n, max: 3_000n }),
  bps: fc.bigInt({ min: 0n, max: 6_000n }),
  maxFeeBps: fc.integer({ min: 200, max: 9_000 }),
  allowsPriceImpact: fc.boolean(),
});
/** In cents. */
const limits = fc.record({
  min: fc.bigInt({ min: 500n, max: 100_000n }),
  max: fc.bigInt({ min: 50_000n, max: 10_000_000n }),
});
type Limits = typeof limits extends fc.Arbitrary<infer T> ? T : never;
/** Amounts below and above the limits of a bridge, in cents. */
const bridgedAmounts = fc.record({
  terms: someTerms.filter(({ conversions }) => conversions.length > 1),
  value: fc.oneof(
    fc.bigInt({ min: 1n, max: 100_000n }),
    fc.bigInt({ min: 100_000n, max: 500_000_000n }),
  ),
  ofBridge: limits,
  ofRamp: limits,
  side: fc.constantFrom<FixedAmount['side']>('input', 'output'),
  /** More than proportional fees take. */
  maxFeeBps: fc.integer({ min: 1_500, max: 9_000 }),
  allowsPriceImpact: fc.boolean(),
});

/** Asks for quotes: whether there is one, and the issue of the amount. */
async function ask({ quoter, route, context }: Market, fixed: FixedAmount) {
  const fresh = { ...context, caches: sourceCaches() };
  const { quoted, failures } = await quoter.quoteAll([route], fixed, fresh, true);
  const [issue] = failures.flatMap(({ failure }) => failure.issues);
  if (issue?.kind === 'unknown') throw failures[0]?.failure.cause;
  return { isQuoted: quoted.length > 0, issue: issue && isAboutAmount(issue) ? issue : null };
}

const askFor = (market: Market, units: bigint) =>
  ask(market, { side: 'input', input: { ...market.input, units } });

/** Fails unless the route is quoted for the limit. */
async function expectQuoted(market: Market, limit: string): Promise<void> {
  const { isQuoted, issue } = await askFor(market, parseAmount(limit, market.input.decimals));
  expect([limit, isQuoted, issue]).toEqual([limit, true, null]);
}

/** Output that is worth the market's input. */
function outputWorth({ input, route, context: { assets, prices } }: Market): FixedAmount {
  const asset = route.legs.at(-1)?.outputToken ?? '';
  const { decimals = 0 } = assets.get(asset) ?? {};
  const units = equalValue(input, { asset, decimals }, prices, 'up');
  return { side: 'output', input, output: { asset, decimals, units } };
}

/** Lets the market's bridge refuse amounts outside limits in cents. */
function limitBridge({ bridge, context }: Market, cents: Limits): void {
  const quote = bridge.quote.bind(bridge);
  bridge.quote = async (request) => {
    const token = tokenIdentifier(request.origin.name, request.inputToken);
    const { decimals = 0 } = context.assets.get(token) ?? {};
    const price = context.prices.priceOf(token);
    const worth = (value: bigint) => unitsOf(decimal(value, 2), decimals, price, 'up');
    const own = { min: worth(cents.min), max: worth(cents.max) };
    const { amount } = request;
    if (amount < own.min || amount > own.max) {
      throw new BridgeRefusedError(bridge.name, 'outside its limits', own);
    }
    return { ...(await quote(request)), limits: own };
  };
}

/** The market with limits of its onramp, in cents. */
function withRampLimits(market: Market, cents: Limits): Market {
  const { input, route, context } = market;
  if (!route.ramp) return market;
  const price = context.prices.priceOf(input.asset);
  const text = (value: bigint) =>
    formatAmount(unitsOf(decimal(value, 2), input.decimals, price, 'up'), input.decimals);
  const ramp = { ...route.ramp, limits: { min: text(cents.min), max: text(cents.max) } };
  return { ...market, route: { ...route, ramp } };
}

/** At the price of the market, fees of larger inputs are not lower. */
const atMarketPrice = (terms: Parameters<typeof marketOf>[0]) => ({
  ...terms,
  pools: terms.pools.map((pool) => ({ ...pool, off: 0n })),
});

describe('the least input of which fees take no more than accepted', () => {
  it(
    'is quoted, and at most a tenth too high',
    async () => {
      const found = { named: 0, never: 0, afterNothing: 0 };
      await fc.assert(
        fc.asyncProperty(smallAmounts, async ({ terms, value, bps, ...rest }) => {
          // Fees that are rounded to large units would be off by more than the tenth.
          const fiat = { ...terms.fiat, bps, roundsFees: false };
          const decimals = terms.decimals.map(() => 18);
          const usual = marketOf({ ...atMarketPrice(terms), value, fiat, decimals });
          const market = { ...usual, context: { ...usual.context, ...rest } };
          const { issue } = await askFor(market, market.input.units);
          if (issue?.reason === 'NO_VALID_AMOUNT') {
            found.never += 1;
            expect(issue.limits).toEqual({});
            for (const times of [2n, 10n, 1_000n]) {
              expect((await askFor(market, market.input.units * times)).issue).not.toBeNull();
            }
          }
          if (issue?.limits.min === undefined) return;
          await expectQuoted(market, issue.limits.min);
          if (issue.reason === 'TOO_LOW') {
            found.afterNothing += 1;
            return;
          }
          found.named += 1;
          expect(issue.reason).toBe('UNEXPECTEDLY_LOW');
          const min = parseAmount(issue.limits.min, market.input.decimals);
          const less = (min * 100n) / 111n - 1n;
          if (less > market.input.units) {
            expect((await askFor(market, less)).issue).not.toBeNull();
          }
        }),
        settings(RUNS),
      );
      for (const count of Object.values(found)) expect(count).toBeGreaterThan(RUNS / 100);
    },
    TIMEOUT_MS,
  );
});

describe('the limits of an amount that a bridge refuses', () => {
  it(
    'are quoted, and known nearly always',
    async () => {
      const counts = { bought: { limits: 0, named: 0 }, deposited: { limits: 0, named: 0 } };
      await fc.assert(
        fc.asyncProperty(bridgedAmounts, async (tried) => {
          const { terms, value, ofBridge, ofRamp, side, ...rest } = tried;
          const usual = withRampLimits(marketOf({ ...atMarketPrice(terms), value }), ofRamp);
          const market = { ...usual, context: { ...usual.context, ...rest } };
          limitBridge(market, ofBridge);
          const { issue } = await (side === 'input'
            ? askFor(market, market.input.units)
            : ask(market, outputWorth(market)));
          // An onramp states its own limits, whatever else a route needs.
          if (issue?.source !== 'bridge') return;
          const { min, max } = issue.limits;
          const named = [min, max].filter((limit) => limit !== undefined);
          for (const limit of named) await expectQuoted(market, limit);
          if (issue.reason !== 'TOO_LOW' && issue.reason !== 'TOO_HIGH') return;
          const count = counts[terms.isBought ? 'bought' : 'deposited'];
          count.limits += 2;
          count.named += named.length;
        }),
        settings(BRIDGE_RUNS),
      );
      for (const each of Object.values(counts)) {
        expect(each.limits).toBeGreaterThan(BRIDGE_RUNS / 20);
        expect(each.named * 4).toBeGreaterThan(each.limits * 3);
      }
    },
    TIMEOUT_MS,
  );
});
