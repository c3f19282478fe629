import { parseAmount } from '@bascule/amounts';
import type { CustomActions } from '@bascule/contracts';
import { TimeoutError } from '@bascule/process';
import { BridgeRefusedError } from '@bascule/venues';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountIssue } from '../routes/amount-issue.js';
import { RouteFailure } from '../routes/route-failure.js';
import { marketOf, someTerms, type Market } from '../testing/random-market.fixture.js';

const never = (): Promise<never> => new Promise(() => undefined);
const [terms] = fc.sample(
  someTerms
    .filter(({ conversions }) => conversions.length > 1)
    .map((each) => ({ ...each, isBought: true, share: null })),
  { numRuns: 1, seed: 13 },
);
const inTime = { routeTimeoutMs: 5, providerTimeoutMs: 50 };

function market(settings?: Parameters<typeof marketOf>[1]): Market {
  if (!terms) throw new Error('expected terms');
  return marketOf(terms, settings);
}

async function failureOf({ quoter, route, context, input }: Market, side: 'input' | 'output') {
  const token = route.legs.at(-1)?.outputToken ?? '';
  const output = { asset: token, decimals: context.assets.get(token)?.decimals ?? 0 };
  const fixed =
    side === 'input'
      ? { side, input }
      : { side, input, output: { ...output, units: 10n ** BigInt(output.decimals) } };
  const { failures } = await quoter.quoteAll([route], fixed, context, true);
  return failures[0]?.failure;
}

describe('RouteQuoterService', () => {
  it.each(['input', 'output'] as const)('fails a late route with a fixed %s', async (side) => {
    const late = market(inTime);
    late.onramp.quote = never;
    const failure = await failureOf(late, side);
    expect(failure?.issues).toEqual([{ kind: 'other', message: 'The route timed out.' }]);
    const { ramp, legs } = late.route;
    const services = [ramp?.provider, ...legs.flatMap(({ chain, lane }) => [chain, lane?.bridge])];
    expect(failure?.serviceIds).toEqual([...new Set(services)].filter(Boolean));
  });

  it('reports the timeout of a provider after an input that was too low', async () => {
    const slow = market();
    let rounds = 0;
    slow.onramp.quote = async () => {
      rounds += 1;
      if (rounds > 1) throw new TimeoutError(1);
      const issue = { source: 'ramp', reason: 'TOO_LOW' as const, because: 'more is needed.' };
      throw new RouteFailure(['ramp'], [amountIssue(slow.input, issue)]);
    };
    expect((await failureOf(slow, 'output'))?.issues).toEqual([
      { kind: 'provider', message: 'ramp: timed out' },
    ]);
    expect(rounds).toBe(2);
  });

  it.each([
    ['looks for the limits of a refused route', true, true],
    ['looks for no limits that are not shown, beside a quote of the same method', false, false],
  ])('%s', async (_what, allIssues, isSearched) => {
    if (!terms) throw new Error('expected terms');
    const { quoter, route, context, input, bridge, onramp } = marketOf({
      ...terms,
      value: 100_000n,
    });
    bridge.quote = () =>
      Promise.reject(new BridgeRefusedError(bridge.name, 'too little', { min: 10n ** 40n }));
    const direct = {
      ...route,
      legs: route.legs.slice(0, 1).map((leg) => ({ ...leg, lane: null })),
    };
    const routes = [route, direct];
    const fixed = { side: 'input' as const, input };
    const { quoted, failures } = await quoter.quoteAll(routes, fixed, context, allIssues);
    expect([quoted.length, failures.length]).toEqual([1, Number(allIssues)]);
    expect(onramp.requests > 1).toBe(isSearched);
  });

  it('quotes custom actions at the minimum that it reports for them', async () => {
    const [plain] = fc.sample(
      someTerms
        .filter(({ conversions }) => conversions.length === 1)
        .map((each) => ({ ...each, isBought: false, share: null, conversions: [false] })),
      { numRuns: 1, seed: 13 },
    );
    if (!plain) throw new Error('expected terms');
    const { quoter, route, context, input } = marketOf(plain);
    const target = `0x${'1'.repeat(40)}`;
    const customActions: CustomActions = {
      actions: [{ type: 'CallImmediateAction', target, value: '0', calldata: '0x' }],
      user_estimated_gas: '3000000',
    };
    const quote = (units: bigint) => {
      const fixed = { side: 'input' as const, input: { ...input, units } };
      return quoter.quoteAll([route], fixed, { ...context, customActions }, true);
    };
    const [failed] = (await quote(1n)).failures;
    const [issue] = failed?.failure.issues ?? [];
    const min = issue && 'limits' in issue ? issue.limits.min : undefined;
    expect(min).toEqual(expect.any(String));
    const again = await quote(parseAmount(min ?? '0', input.decimals));
    expect(again.failures).toEqual([]);
    expect(again.quoted).toHaveLength(1);
  });

  it('omits limits where the fees of the whole route are not known in time', async () => {
    const [plain] = fc.sample(
      someTerms
        .filter(({ conversions }) => conversions.length === 1)
        .map((each) => ({ ...each, isBought: false, share: null, conversions: [false] })),
      { numRuns: 1, seed: 13 },
    );
    if (!plain) throw new Error('expected terms');
    let reads = 0;
    const of = () => ((reads += 1) > 1 ? never() : Promise.resolve(10n ** 9n));
    const slow = marketOf(plain, { chainTimeoutMs: 50 }, { of });
    const { quoter, route, context } = slow;
    const fixed = { side: 'input' as const, input: { ...slow.input, units: 1n } };
    const { failures } = await quoter.quoteAll([route], fixed, context, true);
    expect(failures[0]?.failure.issues).toMatchObject([{ reason: 'TOO_LOW', limits: {} }]);
    expect(reads).toBe(2);
  });
});
