import { compareDecimals, formatAmount } from '@bascule/amounts';
import type { AmountLimits } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sourceLimits } from '../quotes/source-limits.js';
import { rampsOf } from '../sources/coverage-edges.js';
import { rampLimitIssue } from '../sources/source-failure.js';
import { USDC } from '../testing/quoted-route.fixture.js';
import { ramp } from '../testing/routing-world.fixture.js';
import { amountIssue } from './amount-issue.js';
import { formatLimits } from './input-limits.js';

const given = { asset: 'usd', units: 1_000n, decimals: 2, symbol: 'USD' };
const units = fc.bigInt({ min: 0n, max: 10n ** 9n });
const amount = units.map((value) => formatAmount(value, 2));
/** Limits as parties state them, also senseless ones. */
const stated = fc.record({ min: amount, max: amount }, { requiredKeys: [] });
const sold = fc.record({ min: amount, max: amount });

const expectOrdered = ({ min, max }: AmountLimits): void => {
  if (min === undefined || max === undefined) return;
  expect(compareDecimals(min, max)).toBeLessThanOrEqual(0);
};

describe('the limits of an answer have no minimum above the maximum', () => {
  it('in an amount issue', () => {
    fc.assert(
      fc.property(stated, stated, (limits, downstreamLimits) => {
        const problem = { source: 'a', reason: 'UNKNOWN', because: 'but …' } as const;
        const issue = amountIssue(given, { ...problem, limits, downstreamLimits });
        expectOrdered(issue.limits);
        expectOrdered(issue.downstream_limits ?? {});
      }),
    );
  });

  it('in the issue of an onramp, whatever it claims to accept', () => {
    fc.assert(
      fc.property(sold, (limits) => {
        expectOrdered(
          rampLimitIssue({ ...ramp('swift', 'usd', USDC), limits }, given)?.limits ?? {},
        );
      }),
    );
  });

  it('in limits of a quote answer, of any number of methods', () => {
    const leg = { chain: 'alphanet', inputToken: USDC, outputToken: USDC, lane: null };
    fc.assert(
      fc.property(fc.array(sold, { maxLength: 5 }), (methods) => {
        const routes = methods.map((limits) => ({
          ramp: { ...ramp('swift', 'usd', USDC), limits },
          legs: [leg],
        }));
        const answered = sourceLimits({ routes, quotes: [], failures: [] });
        for (const limits of answered) expectOrdered(limits);
      }),
    );
  });

  it('when they are rounded to few digits', () => {
    fc.assert(
      fc.property(fc.record({ min: units, max: units }), (limits) => {
        expectOrdered(formatLimits(limits, 2));
      }),
    );
  });
});

it('an onramp’s method that accepts no amount is not sold', () => {
  const method = { method: 'ACH', min: '20', max: '10' } as const;
  const fiats = [{ code: 'usd', methods: [method, { ...method, min: '10' }] }];
  expect(rampsOf('swift', { fiats, tokens: [{ token: USDC }] })).toMatchObject([
    { method: 'ACH', limits: { min: '10', max: '10' } },
  ]);
});
