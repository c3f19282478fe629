import { parseAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAboutAmount } from '../routes/amount-issue.js';
import { sourceCaches } from '../routes/request-cache.js';
import { marketOf, someTerms, type Market } from '../testing/random-market.fixture.js';

const RUNS = 1_000;
const TIMEOUT_MS = 180_000;

/** Small amounts, at onramps that take up to 60 %. */
const markets = fc.record({
  terms: someTerms,
  value: fc.bigInt({ min: 1n, max: 3_000n }),
  bps: fc.bigInt({ min: 0n, max: 6_000n }),
  maxFeeBps: fc.integer({ min: 200, max: 9_000 }),
  allowsPriceImpact: fc.boolean(),
});

/** Issue of the amount; null where the route is quoted or fails for another reason. */
async function refusal(market: Market, units: bigint): Promise<AmountIssue | null> {
  const { quoter, route, context, input } = market;
  const { failures } = await quoter.quoteAll(
    [route],
    { side: 'input', input: { ...input, units } },
    { ...context, caches: sourceCaches() },
    true,
  );
  const [issue] = failures.flatMap(({ failure }) => failure.issues);
  if (issue?.kind === 'unknown') throw failures[0]?.failure.cause;
  return issue && isAboutAmount(issue) ? issue : null;
}

describe('the least input of which fees take no more than accepted', () => {
  it(
    'is quoted, and at most a tenth too high',
    async () => {
      const found = { named: 0, never: 0, afterNothing: 0 };
      await fc.assert(
        fc.asyncProperty(markets, async ({ terms, value, bps, ...flags }) => {
          // Rounding would weigh more than the tenth.
          const fiat = { ...terms.fiat, bps, roundsFees: false };
          // At the price of the market, fees of larger inputs are not lower.
          const pools = terms.pools.map((pool) => ({ ...pool, off: 0n }));
          const usual = marketOf({ ...terms, value, fiat, pools });
          const market = { ...usual, context: { ...usual.context, ...flags } };
          const issue = await refusal(market, market.input.units);
          if (issue?.reason === 'NO_VALID_AMOUNT') {
            found.never += 1;
            expect(issue.limits).toEqual({});
            for (const times of [2n, 10n, 1_000n]) {
              expect(await refusal(market, market.input.units * times)).not.toBeNull();
            }
          }
          // A bridge's own minimum says nothing about fees.
          const isBridges = issue?.reason === 'TOO_LOW' && issue.source === 'bridge';
          if (issue?.limits.min === undefined || isBridges) return;
          const min = parseAmount(issue.limits.min, market.input.decimals);
          expect(await refusal(market, min)).toBeNull();
          if (issue.reason === 'TOO_LOW') {
            found.afterNothing += 1;
            return;
          }
          found.named += 1;
          expect(issue.reason).toBe('UNEXPECTEDLY_LOW');
          const less = (min * 100n) / 111n - 1n;
          if (less > market.input.units) expect(await refusal(market, less)).not.toBeNull();
        }),
        // Shrinking takes longer than the test may.
        { numRuns: RUNS, endOnFailure: true },
      );
      for (const count of Object.values(found)) expect(count).toBeGreaterThan(RUNS / 100);
    },
    TIMEOUT_MS,
  );
});
