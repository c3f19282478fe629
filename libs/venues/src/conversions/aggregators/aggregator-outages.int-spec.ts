import { Chain } from '@bascule/chain';
import type { AggregatorLab } from '@bascule/providers-lab';
import { expect, it } from '@jest/globals';

import { bestQuote } from '../best-quote.js';
import { createVenues } from '../create-venues.js';
import { TOKENS } from './testing/aggregator-stage.fixture.js';
import { describeEachAggregator } from './testing/aggregator-stages.fixture.js';

const { usdc, weth } = TOKENS;
const TIMEOUT_MS = 300;
type HttpFault = NonNullable<AggregatorLab['fault']>;

describeEachAggregator('an outage of %s', (stageOf) => {
  const request = { inputToken: usdc, outputToken: weth, amountIn: 1_000_000_000n };
  const wanted = { inputToken: usdc, outputToken: weth, amountOut: 10n ** 15n };

  it.each<HttpFault>(['slow', 'rate_limited', 'fails', 'html'])(
    'fails, and leaves the conversion to the pools: %s',
    async (fault) => {
      const { chain, lab, venueAt } = stageOf();
      const { anyNode } = chain;
      lab.fault = fault;
      const venue = venueAt(lab.url, TIMEOUT_MS);
      await expect(venue.quoteExactInput(anyNode, request)).rejects.toThrow();
      await expect(venue.quoteExactOutput(anyNode, wanted)).rejects.toThrow();
      await expect(bestQuote([venue], anyNode, request)).rejects.toThrow('alphanet');
      const best = await bestQuote([...createVenues(), venue], anyNode, request);
      expect(best?.amountOut).toBeGreaterThan(0n);
      expect(best?.venue).not.toBe('lab');
    },
  );

  it('fails for a wrong key and a wrong URL', async () => {
    const { chain, lab, venueAt } = stageOf();
    const elsewhere = venueAt(`${lab.url}/elsewhere`);
    await expect(elsewhere.quoteExactInput(chain.anyNode, request)).rejects.toThrow('404');
    const stranger = venueAt(lab.url, 5_000, 'wrong');
    await expect(stranger.quoteExactInput(chain.anyNode, request)).rejects.toThrow('401');
  });

  it('is not asked again within the pause that a 429 asks for', async () => {
    const { chain, lab, venueAt } = stageOf();
    const venue = venueAt(lab.url, TIMEOUT_MS);
    lab.fault = 'rate_limited';
    await expect(venue.quoteExactInput(chain.anyNode, request)).rejects.toThrow('429');
    lab.fault = null;
    await expect(venue.quoteExactInput(chain.anyNode, request)).rejects.toThrow('paused');
    await expect(venue.quoteExactOutput(chain.anyNode, wanted)).rejects.toThrow('paused');
    expect(lab.swaps.requests).toBe(0);
  });

  it('is not asked by every question once it has failed five times', async () => {
    const { chain, lab, venueAt } = stageOf();
    const venue = venueAt(lab.url, TIMEOUT_MS);
    lab.fault = 'fails';
    for (let failure = 0; failure < 5; failure += 1) {
      await expect(venue.quoteExactInput(chain.anyNode, request)).rejects.toThrow('500');
    }
    await expect(venue.quoteExactInput(chain.anyNode, request)).rejects.toThrow('circuit open');
  });

  it('lists pairs without its API only where it lists some at all', async () => {
    const { chain, lab, venueAt } = stageOf();
    lab.fault = 'fails';
    expect(await venueAt(lab.url).pairs(chain.anyNode, [usdc, weth])).toEqual([]);
  });

  it('throws for an unavailable chain instead of having no quote', async () => {
    const { chain, venue } = stageOf();
    const { definition } = chain;
    const unreachable = new Chain({ definition, rpcUrls: ['http://127.0.0.1:9'] });
    await expect(venue().quoteExactInput(unreachable.anyNode, request)).rejects.toThrow();
  });
});
