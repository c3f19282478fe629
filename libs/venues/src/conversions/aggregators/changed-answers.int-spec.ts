import { developmentAddresses } from '@bascule/solidity';
import { expect, it } from '@jest/globals';
import type { VenueQuote } from '../venue.js';
import { TOKENS } from './testing/aggregator-stage.fixture.js';
import { pathsIn, withField, WRONG_VALUES } from './testing/field-changes.fixture.js';
import { describeEachAggregator } from './testing/aggregator-stages.fixture.js';

const { converter } = developmentAddresses;
const { native, usdc, weth } = TOKENS;

describeEachAggregator('a changed answer of %s', (stageOf) => {
  it.each([
    ['a token', usdc, 1_000_000n],
    ['native currency', native, 10n ** 15n],
  ])(
    'quotes the same or nothing for %s',
    async (_, inputToken, amountIn) => {
      const { chain, contract, lab, venue } = stageOf();
      const outputToken = inputToken === usdc ? weth : usdc;
      const request = { inputToken, outputToken, amountIn };
      const quoted = (): Promise<VenueQuote | null> =>
        venue().quoteExactInput(chain.anyNode, request);
      const paths: (readonly string[])[] = [];
      lab.swaps.alter = (answer) => {
        paths.push(...pathsIn(answer));
        return answer;
      };
      const original = await quoted();
      if (!original) throw new Error('no quote');
      expect(paths.length).toBeGreaterThan(20);

      let refused = 0;
      for (const path of paths) {
        for (const to of WRONG_VALUES) {
          lab.swaps.alter = (answer) => withField(answer, path, to);
          const quote = await quoted().catch(() => null);
          refused += Number(quote === null);
          const { amountOut, route } = quote ?? original;
          const calls = (quote ?? original).calls({ converter, minOutput: 1n });
          const targets = new Set(calls.map(({ target }) => target));
          expect([path, to, amountOut, route]).toEqual([
            ...[path, to, original.amountOut, original.route],
          ]);
          expect([...targets].filter((target) => !isKnown(target, contract))).toEqual([]);
        }
      }
      expect(refused).toBeGreaterThan(20);
    },
    120_000,
  );
});

const isKnown = (target: string, contract: string): boolean =>
  [usdc, weth, converter, contract].some((known) => known.toLowerCase() === target.toLowerCase());
