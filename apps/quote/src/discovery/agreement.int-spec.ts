import { type AvailableAssetsResponse } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ASSETS,
  FOREIGN_USDC,
  NATIVE,
  PRICES,
  USDC,
  USDT,
} from '../testing/catalogue-feed.fixture.js';
import { fixedInput, startQuoteStand, type QuoteStand } from '../testing/quote-stand.fixture.js';
import { usdcOnramp } from '../testing/stub-onramps.fixture.js';
import { startStubSolver, type StubSolver } from '../testing/stub-solver.fixture.js';

const assets = Object.keys(ASSETS);
const fiats = assets.filter((asset) => !asset.includes(':'));

/** About 200 dollars: above every fee, small for every pool. */
const saneAmount = (asset: string): string => (Number(PRICES[asset] ?? 1) > 100 ? '0.07' : '200');

describe('discovery on the development chains', () => {
  let stand: QuoteStand;
  let solver: StubSolver;

  beforeAll(async () => {
    solver = await startStubSolver();
    const closed = { name: 'usdt', conversion: { token: USDT, chain: 'alphanet' }, beta: true };
    stand = await startQuoteStand(
      { here: usdcOnramp(USDC), there: usdcOnramp(FOREIGN_USDC) },
      { EDGE_RULES: JSON.stringify([closed]) },
      solver,
    );
  });
  afterAll(async () => {
    await stand.stop();
    await solver.stop();
  });

  async function available(side: 'inputs' | 'outputs', given: 'inputs' | 'outputs') {
    const query = assets.map((asset) => `${given}[]=${encodeURIComponent(asset)}`).join('&');
    const { status, body } = await stand.get<AvailableAssetsResponse>(
      `/assets/available-${side}?${query}`,
    );
    expect(status).toBe(200);
    return new Map(
      Object.entries(body).map(([asset, found]) => [asset, [...found.fiats, ...found.tokens]]),
    );
  }

  it('lists exactly the pairs that can be quoted at a reasonable amount', async () => {
    const outputs = await available('outputs', 'inputs');
    const inputs = await available('inputs', 'outputs');
    const wrong: unknown[] = [];
    let quoted = 0;
    for (const input of assets) {
      for (const output of assets.filter((asset) => !fiats.includes(asset))) {
        const isAvailable = outputs.get(input)?.includes(output) ?? false;
        const { status, body } = await stand.ask(fixedInput(input, saneAmount(input), output));
        const isQuoted = status === 200 && body.quotes.length > 0;
        const isExplained = isQuoted || (status === 200 && body.fault !== null);
        const isMirrored = (inputs.get(output)?.includes(input) ?? false) === isAvailable;
        quoted += Number(isQuoted);
        if (isQuoted !== isAvailable || !isExplained || !isMirrored) {
          wrong.push({ input, output, isAvailable, isMirrored, status, fault: body.fault });
        }
      }
    }
    expect(wrong).toEqual([]);
    // From dollars and seven tokens on two chains with a bridge in both directions: not vacuous.
    expect(quoted).toBeGreaterThan(40);
    expect(outputs.get('usd')).toEqual(expect.arrayContaining([NATIVE, FOREIGN_USDC]));
    expect(outputs.get(USDT)).toEqual([USDT]);
  });
});
