import { Chain } from '@bascule/chain';
import { developmentAddresses, weth9Abi, type Call } from '@bascule/solidity';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeFunctionData, erc20Abi, isHex, size, zeroAddress, type Address } from 'viem';
import { bestExactOutputQuote, bestQuote } from './best-quote.js';
import { createVenues } from './create-venues.js';
import {
  RECIPIENT,
  startConversionStage,
  type ConversionStage,
} from './testing/conversion-stage.fixture.js';
import type { VenueQuote } from './venue.js';

const { converter, dai, eurc, swapRouter02, usdc, usdt, wbtc, weth } = developmentAddresses;
const NATIVE = zeroAddress;
/** Pools of an encoded path of Uniswap V3: 20 bytes of a token, then 23 for each pool; wrapping has none. */
const poolsOf = ({ venue, route }: VenueQuote): number =>
  venue === 'uniswap_v3' && isHex(route) ? (size(route) - 20) / 23 : 0;

describe('conversions on a chain with real pools', () => {
  const venues = createVenues();
  let stage: ConversionStage;

  beforeAll(async () => {
    stage = await startConversionStage();
  });
  afterAll(() => stage.stop());

  it('lists the convertible tokens, in agreement with its quotes', async () => {
    const unknown: Address = '0x00000000000000000000000000000000000000ee';
    const tokens = [NATIVE, weth, usdc, usdt, wbtc, dai, eurc, unknown];
    const answers = await Promise.all(
      venues.map((venue) => venue.pairs(stage.chain.anyNode, tokens)),
    );
    const key = (pair: readonly Address[]): string => [...pair].sort().join();
    for (const pairs of answers) {
      expect(new Set(pairs.map(key)).size).toBe(pairs.length);
    }
    const said = answers.flat().map(key);
    const small = [NATIVE, weth, dai].map((token) => [token, 10n ** 15n] as const);
    const smallAmounts: Record<Address, bigint> = Object.fromEntries(small);
    for (const inputToken of tokens) {
      for (const outputToken of tokens.filter((token) => token !== inputToken)) {
        const amountIn = smallAmounts[inputToken] ?? 1_000_000n;
        const quote = await bestQuote(venues, stage.chain.anyNode, {
          inputToken,
          outputToken,
          amountIn,
        });
        expect([inputToken, outputToken, said.includes(key([inputToken, outputToken]))]).toEqual([
          ...[inputToken, outputToken, quote !== null],
        ]);
      }
    }
  });

  it('throws for an unavailable chain instead of reporting no pools', async () => {
    const silent = new Chain({ definition: stage.definition, rpcUrls: ['http://127.0.0.1:9'] });
    const answers = Promise.all(venues.map((venue) => venue.pairs(silent.anyNode, [NATIVE, usdc])));
    await expect(answers).rejects.toThrow();
  });

  it.each([
    ['one pool', usdc, weth, 1_000_000_000n, 1],
    ['a token whose approvals return nothing', usdt, usdc, 1_000_000_000n, 1],
    ['an intermediate token', usdt, wbtc, 5_000_000_000n, 2],
    ['native currency in', NATIVE, usdc, 10n ** 18n, 1],
    ['native currency out', usdc, NATIVE, 1_000_000_000n, 1],
    ['native currency out after two pools', usdt, NATIVE, 1_000_000_000n, 2],
    ['wrapping', NATIVE, weth, 10n ** 18n, 0],
  ])(
    'returns exactly the quoted amount: %s',
    async (_, inputToken, outputToken, amountIn, pools) => {
      const quote = await bestQuote(venues, stage.chain.anyNode, {
        inputToken,
        outputToken,
        amountIn,
      });
      if (!quote) throw new Error('no quote');
      expect(poolsOf(quote)).toBe(pools);
      const minOutput = (quote.amountOut * 995n) / 1_000n;
      const before = await stage.balance(outputToken, RECIPIENT);

      const calls = quote.calls({ converter, minOutput });
      const gasUsed = await stage.convert({ inputToken, outputToken, amountIn, minOutput, calls });

      expect((await stage.balance(outputToken, RECIPIENT)) - before).toBe(quote.amountOut);
      expect(await stage.balance(inputToken, converter)).toBe(0n);
      expect(await stage.balance(outputToken, converter)).toBe(0n);
      if (inputToken !== NATIVE) expect(await stage.allowance(inputToken, swapRouter02)).toBe(0n);
      expect(quote.gas).toBeLessThan(gasUsed * 2n);
      expect(quote.gas).toBeGreaterThan(gasUsed / 3n);
    },
  );

  it.each([
    ['one pool', usdc, weth, 10n ** 17n],
    ['a token whose approvals return nothing', usdt, usdc, 1_000_000_001n],
    ['an intermediate token', usdt, wbtc, 5_000_001n],
    ['native currency in', NATIVE, usdc, 1_234_567n],
    ['native currency out after two pools', usdt, NATIVE, 10n ** 17n + 1n],
    ['wrapping', NATIVE, weth, 10n ** 18n],
    ['unwrapping', weth, NATIVE, 10n ** 18n],
  ])('quotes the least input of an output: %s', async (_, inputToken, outputToken, amountOut) => {
    const tokens = { inputToken, outputToken };
    const least = await bestExactOutputQuote(venues, stage.chain.anyNode, { ...tokens, amountOut });
    if (!least) throw new Error('no quote');
    const outputOf = async (amountIn: bigint) =>
      (await bestQuote(venues, stage.chain.anyNode, { ...tokens, amountIn }))?.amountOut ?? 0n;
    // Each pool rounds both ways, by a unit.
    expect(await outputOf(least.amountIn + 2n)).toBeGreaterThanOrEqual(amountOut);
    expect(await outputOf(least.amountIn - 2n)).toBeLessThan(amountOut);
    expect(least.gas).toBeGreaterThan(0n);
  });

  it('has no input for more than the pools hold, or for nothing', async () => {
    const tokens = { inputToken: usdc, outputToken: weth };
    for (const amountOut of [10n ** 27n, 0n]) {
      expect(
        await bestExactOutputQuote(venues, stage.chain.anyNode, { ...tokens, amountOut }),
      ).toBeNull();
    }
  });

  it.each([
    ['only Uniswap V2 has', dai, usdc, 'uniswap_v2'],
    ['only Uniswap V4 has', eurc, usdc, 'uniswap_v4'],
    ['all versions have, at the lowest fee', usdc, usdt, 'uniswap_v3'],
  ])(
    'takes the venue with the best output for a pair that %s',
    async (_, inputToken, outputToken, venue) => {
      const amountIn = inputToken === dai ? 10n ** 20n : 100_000_000n;
      const request = { inputToken, outputToken, amountIn };
      expect((await bestQuote(venues, stage.chain.anyNode, request))?.venue).toBe(venue);
      const exact = { inputToken, outputToken, amountOut: 100_000_000n };
      expect((await bestExactOutputQuote(venues, stage.chain.anyNode, exact))?.venue).toBe(venue);
    },
  );

  it('unwraps one to one', async () => {
    await stage.send(
      weth,
      encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' }),
      10n ** 18n,
    );
    const request = { inputToken: weth, outputToken: NATIVE, amountIn: 10n ** 18n };
    const quote = await bestQuote(venues, stage.chain.anyNode, request);
    if (!quote) throw new Error('no quote');
    expect(quote).toMatchObject({ venue: 'wrapped_native', amountOut: 10n ** 18n });
    const before = await stage.balance(NATIVE, RECIPIENT);
    const minOutput = quote.amountOut;
    await stage.convert({ ...request, minOutput, calls: quote.calls({ converter, minOutput }) });
    expect((await stage.balance(NATIVE, RECIPIENT)) - before).toBe(10n ** 18n);
  });

  it('works after a third party made the Converter grant an allowance', async () => {
    const approve: Call = {
      target: usdt,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [swapRouter02, 1n],
      }),
      value: 0n,
    };
    await stage.transfer(usdc, converter, 1n);
    const nothing = { amountIn: 0n, minOutput: 0n, inputToken: usdt, outputToken: usdc };
    await stage.convert({ ...nothing, inputToken: NATIVE, calls: [approve] });
    expect(await stage.allowance(usdt, swapRouter02)).toBe(1n);

    const request = { inputToken: usdt, outputToken: usdc, amountIn: 1_000_000n };
    const quote = await bestQuote(venues, stage.chain.anyNode, request);
    if (!quote) throw new Error('no quote');
    const minOutput = quote.amountOut;
    await stage.convert({ ...request, minOutput, calls: quote.calls({ converter, minOutput }) });
    expect(await stage.allowance(usdt, swapRouter02)).toBe(0n);
  });

  it('has no quote for tokens without a pool or for an amount of zero', async () => {
    const unknown: Address = '0x00000000000000000000000000000000000000bb';
    const none = { inputToken: usdc, outputToken: unknown, amountIn: 1n };
    expect(await bestQuote(venues, stage.chain.anyNode, none)).toBeNull();
    const nothing = { inputToken: usdc, outputToken: weth, amountIn: 0n };
    expect(await bestQuote(venues, stage.chain.anyNode, nothing)).toBeNull();
  });

  it('throws for an unavailable chain instead of reporting no conversion', async () => {
    const unreachable = new Chain({
      definition: stage.definition,
      rpcUrls: ['http://127.0.0.1:9'],
    });
    const request = { inputToken: usdc, outputToken: weth, amountIn: 1_000_000n };
    await expect(bestQuote(venues, unreachable.anyNode, request)).rejects.toThrow('alphanet');
  });
});
