import { Chain } from '@bascule/chain';
import { developmentAddresses } from '@bascule/solidity';
import { startLyingNode } from '@bascule/testing';
import { expect, it } from '@jest/globals';
import { zeroAddress, type Address } from 'viem';
import { agreedQuote, quotesOfNodes } from '../agreed-quote.js';
import { bestQuote } from '../best-quote.js';
import { createVenues } from '../create-venues.js';
import type { VenueQuote } from '../venue.js';
import { PAIRS, RECIPIENT, TOKENS } from './testing/aggregator-stage.fixture.js';
import { describeEachAggregator } from './testing/aggregator-stages.fixture.js';

const { converter } = developmentAddresses;
const { native, usdc, usdt, wbtc, weth } = TOKENS;

describeEachAggregator('the adapter %s', (stageOf) => {
  const quoteOf = async (
    inputToken: Address,
    outputToken: Address,
    amountIn: bigint,
  ): Promise<VenueQuote> => {
    const request = { inputToken, outputToken, amountIn };
    const quote = await stageOf().venue().quoteExactInput(stageOf().chain.anyNode, request);
    if (!quote) throw new Error('no quote');
    return quote;
  };

  it.each([
    ['one pool', usdc, weth, 1_000_000_000n],
    ['a token whose approvals return nothing', usdt, usdc, 1_000_000_000n],
    ['an intermediate token', usdt, wbtc, 5_000_000_000n],
    ['native currency in', native, usdc, 10n ** 18n],
    ['native currency out', usdc, native, 1_000_000_000n],
  ])('pays exactly the quoted amount: %s', async (_, inputToken, outputToken, amountIn) => {
    const quote = await quoteOf(inputToken, outputToken, amountIn);
    const minOutput = (quote.amountOut * 995n) / 1_000n;
    const before = await stageOf().balance(outputToken, RECIPIENT);

    const calls = quote.calls({ converter, minOutput });
    const { status, gasUsed } = await stageOf().convert({
      ...{ inputToken, outputToken, amountIn, minOutput, calls },
    });

    expect(status).toBe('success');
    expect((await stageOf().balance(outputToken, RECIPIENT)) - before).toBe(quote.amountOut);
    expect(await stageOf().balance(inputToken, converter)).toBe(0n);
    expect(await stageOf().balance(outputToken, converter)).toBe(0n);
    const granted = inputToken === zeroAddress ? usdc : inputToken;
    expect(await stageOf().allowance(granted)).toBe(0n);
    expect(quote.gas).toBeLessThan(gasUsed * 2n);
    expect(quote.gas).toBeGreaterThan(gasUsed / 3n);
  });

  it.each([
    ['one pool', usdc, weth, 10n ** 17n],
    ['an intermediate token', usdt, wbtc, 5_000_001n],
    ['native currency in', native, usdc, 1_234_567_000n],
  ])('quotes an input for an output: %s', async (_, inputToken, outputToken, amountOut) => {
    const request = { inputToken, outputToken, amountOut };
    const least = await stageOf().venue().quoteExactOutput(stageOf().chain.anyNode, request);
    if (!least) throw new Error('no quote');
    const forward = await quoteOf(inputToken, outputToken, least.amountIn);
    expect(forward.amountOut).toBeGreaterThanOrEqual(amountOut);
    expect(forward.amountOut).toBeLessThan((amountOut * 1_005n) / 1_000n);
    expect(least).toMatchObject({ venue: 'lab' });
    expect(least.gas).toBeGreaterThan(0n);
  });

  it('asks for an output at most four times', async () => {
    const request = { inputToken: usdt, outputToken: wbtc, amountOut: 5_000_001n };
    await stageOf().venue().quoteExactOutput(stageOf().chain.anyNode, request);
    expect(stageOf().lab.swaps.requests).toBeLessThanOrEqual(4);
  });

  it('has no quote without a route, for nothing, and for more than the pools hold', async () => {
    const { anyNode } = stageOf().chain;
    const unknown: Address = '0x00000000000000000000000000000000000000bb';
    const tokens = { inputToken: usdc, outputToken: weth };
    const none = { inputToken: usdc, outputToken: unknown };
    const venue = stageOf().venue();
    expect(await venue.quoteExactInput(anyNode, { ...none, amountIn: 1_000n })).toBeNull();
    expect(await venue.quoteExactOutput(anyNode, { ...none, amountOut: 1_000n })).toBeNull();
    expect(await venue.quoteExactInput(anyNode, { ...tokens, amountIn: 0n })).toBeNull();
    expect(await venue.quoteExactOutput(anyNode, { ...tokens, amountOut: 0n })).toBeNull();
    const tooMuch = { ...tokens, amountOut: 10n ** 27n };
    expect(await venue.quoteExactOutput(anyNode, tooMuch)).toBeNull();
  });

  it('leaves wrapping, and chains without its contract, to others', () => {
    const { definition } = stageOf().chain;
    const { aggregators: _, ...contracts } = definition.contracts;
    const venue = stageOf().venue();
    const tokens = { inputToken: usdc, outputToken: weth };
    const wrapping = { inputToken: native, outputToken: weth };
    expect(venue.mayConvert({ definition }, tokens)).toBe(true);
    expect(venue.mayConvert({ definition }, wrapping)).toBe(false);
    expect(venue.mayConvert({ definition: { ...definition, contracts } }, tokens)).toBe(false);
  });

  it('opens pairs of the tokens that it lists, without asking a node', async () => {
    const { chain, lab, lists, venue } = stageOf();
    const { definition } = chain;
    const unreachable = new Chain({ definition, rpcUrls: ['http://127.0.0.1:9'] }).anyNode;
    const asked = venue();
    const tokens = [native, weth, usdc, wbtc];
    const expected = lists ? PAIRS.listed : PAIRS.unlisted;
    expect(await asked.pairs(unreachable, tokens)).toEqual(expected);
    lab.fault = 'fails';
    expect(await asked.pairs(unreachable, tokens)).toEqual(expected);
    expect(lab.swaps.requests).toBe(lists ? 1 : 0);
  });

  it('wins where it pays more than the pools', async () => {
    await stageOf().pay(usdc, 10_050n);
    const request = { inputToken: weth, outputToken: usdc, amountIn: 10n ** 17n };
    const best = await bestQuote(
      [...createVenues(), stageOf().venue()],
      stageOf().chain.anyNode,
      request,
    );
    expect(best?.venue).toBe('lab');
  });
});

describeEachAggregator('a question about %s to several nodes', (stageOf) => {
  const request = { inputToken: usdc, outputToken: weth, amountIn: 1_000_000n };

  it('asks its API once, and two nodes agree on the route', async () => {
    const { chainOfTwoNodes, lab, venue } = stageOf();
    const quotes = await quotesOfNodes([venue()], chainOfTwoNodes, request);
    expect(quotes).toHaveLength(2);
    expect(lab.swaps.requests).toBe(1);
    const { kind, quote } = agreedQuote(chainOfTwoNodes, quotes, {});
    expect([kind, quote?.venue]).toEqual(['agreed', 'lab']);
    expect(quote?.route).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('leaves the conversion to pools where only one of two nodes can simulate it', async () => {
    const { chain, pay, rpcUrl, venue } = stageOf();
    await pay(usdc, 10_050n);
    const sold = { inputToken: weth, outputToken: usdc, amountIn: 10n ** 17n };
    const node = await startLyingNode(rpcUrl);
    const refused = { error: { code: -32_602, message: 'too many arguments, want at most 2' } };
    node.lies.set('eth_call', async ({ params }, honest) =>
      params.length > 2 ? refused : honest(),
    );
    try {
      const { definition } = chain;
      const chainOfBoth = new Chain({ definition, rpcUrls: [rpcUrl, node.url] });
      const venues = [...createVenues(), venue()];
      const { kind, quote } = agreedQuote(
        chainOfBoth,
        await quotesOfNodes(venues, chainOfBoth, sold),
        {},
      );
      expect([kind, quote?.venue]).toEqual(['agreed', 'uniswap_v3']);
    } finally {
      await node.stop();
    }
  });

  it('has other routes for other answers', async () => {
    const { chain, venue } = stageOf();
    const routes = [];
    for (const amountIn of [1_000_000n, 1_000_001n]) {
      const quote = await venue().quoteExactInput(chain.anyNode, { ...request, amountIn });
      routes.push(quote?.route);
    }
    expect(new Set(routes).size).toBe(2);
  });

  it('does not keep a failure', async () => {
    const { chain, lab, venue } = stageOf();
    const asked = venue();
    lab.fault = 'fails';
    await expect(asked.quoteExactInput(chain.anyNode, request)).rejects.toThrow();
    lab.fault = null;
    expect(await asked.quoteExactInput(chain.anyNode, request)).not.toBeNull();
  });
});
