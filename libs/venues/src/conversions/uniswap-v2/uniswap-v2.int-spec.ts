import { Chain } from '@bascule/chain';
import { developmentAddresses } from '@bascule/solidity';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseEther, zeroAddress, type Address } from 'viem';
import { agreedQuote, quotesOfNodes } from '../agreed-quote.js';
import {
  RECIPIENT,
  startConversionStage,
  type ConversionStage,
} from '../testing/conversion-stage.fixture.js';
import {
  expectExactConversion,
  expectLeastInput,
  expectListedPairs,
  expectNoRemainder,
  quoteOf,
} from '../testing/expect-conversion.fixture.js';
import { PoolVenue } from '../pool-venue.js';
import { deployTaxedToken } from '../testing/taxed-token.fixture.js';
import { createV2Pair, pairOf } from '../testing/v2-pair.fixture.js';
import { pairAddress } from './pair-address.js';
import { uniswapV2 } from './uniswap-v2.js';

const {
  converter,
  dai,
  eurc,
  uniswapV2Router02: router,
  usdc,
  usdt,
  wbtc,
  weth,
} = developmentAddresses;
const NATIVE = zeroAddress;
const POOLLESS: Address = '0x00000000000000000000000000000000000000bb';

describe('Uniswap V2 on a chain with real pairs', () => {
  const venue = new PoolVenue(uniswapV2);
  let stage: ConversionStage;

  beforeAll(async () => {
    stage = await startConversionStage();
    await createV2Pair(stage, [usdc, 300_000n * 10n ** 6n], [weth, parseEther('100')]);
  });
  afterAll(() => stage.stop());

  const pools = (route: string): number => (route.length - 2) / 40 - 1;

  it.each<[string, Address, Address, bigint, number]>([
    ['one pair', dai, usdc, parseEther('1000'), 1],
    ['a token whose approvals return nothing', usdt, usdc, 1_000_000_000n, 1],
    ['an intermediate token', dai, usdt, parseEther('1000'), 2],
    ['a token without pairs of its own but one, through two', usdt, dai, 1_000_000_000n, 2],
    ['native currency in', NATIVE, dai, parseEther('1'), 1],
    ['native currency in through two pairs', NATIVE, usdt, parseEther('1'), 2],
    ['native currency out', dai, NATIVE, parseEther('1000'), 1],
    ['native currency out after two pairs', usdt, NATIVE, 1_000_000_000n, 2],
    ['wrapped native currency in', weth, dai, parseEther('1'), 1],
  ])(
    'returns exactly the quoted amount: %s',
    async (_, inputToken, outputToken, amountIn, hops) => {
      const request = { inputToken, outputToken, amountIn };
      const quote = await expectExactConversion(stage, { venue, router }, request);
      expect(pools(quote.route)).toBe(hops);
    },
  );

  it.each<[string, Address, Address, bigint]>([
    ['one pair', dai, usdc, 1_234_567n],
    ['two pairs', dai, usdt, 1_234_567n],
    ['native currency in', NATIVE, usdc, 1_234_567n],
    ['native currency out', dai, NATIVE, parseEther('0.1') + 1n],
  ])('quotes the least input of an output: %s', async (_, inputToken, outputToken, amountOut) => {
    await expectLeastInput(stage, venue, { inputToken, outputToken, amountOut, tolerance: 0n });
  });

  it('computes the addresses of pairs as the factory does', async () => {
    const { uniswapV2 } = stage.definition.contracts;
    if (!uniswapV2) throw new Error('alphanet has no Uniswap V2');
    for (const token of [usdc, weth]) {
      expect(pairAddress(uniswapV2, [dai, token])).toBe(await pairOf(stage, dai, token));
    }
  });

  it('lists the pairs that it quotes, and no others', async () => {
    await expectListedPairs(stage, venue, [NATIVE, weth, dai, usdc, usdt, eurc, wbtc, POOLLESS]);
  });

  it('has no quote without a pair, for nothing, and beyond the reserves', async () => {
    const view = stage.chain.anyNode;
    const tokens = { inputToken: dai, outputToken: usdc };
    const quoteOf = (amountIn: bigint, outputToken: Address = usdc) =>
      venue.quoteExactInput(view, { inputToken: dai, outputToken, amountIn });
    expect(await quoteOf(1n, POOLLESS)).toBeNull();
    expect(await quoteOf(0n)).toBeNull();
    expect(await quoteOf(1n)).toBeNull();
    expect(await quoteOf(2n ** 112n - 1n)).toBeNull();
    for (const amountOut of [0n, 10n ** 18n]) {
      expect(await venue.quoteExactOutput(view, { ...tokens, amountOut })).toBeNull();
    }
  });

  it('throws for an unavailable chain instead of reporting no pairs', async () => {
    const { definition } = stage;
    const unreachable = new Chain({ definition, rpcUrls: ['http://127.0.0.1:9'] }).anyNode;
    const request = { inputToken: dai, outputToken: usdc, amountIn: 1_000_000n };
    await expect(venue.quoteExactInput(unreachable, request)).rejects.toThrow();
    await expect(venue.pairs(unreachable, [dai, usdc])).rejects.toThrow();
  });

  it('names the route by which two nodes agree', async () => {
    const { definition, rpcUrl } = stage;
    const chain = new Chain({ definition, rpcUrls: [rpcUrl, `${rpcUrl}/`] });
    const request = { inputToken: dai, outputToken: usdt, amountIn: parseEther('1') };
    const agreed = agreedQuote(chain, await quotesOfNodes([venue], chain, request), {});
    expect(agreed.kind).toBe('agreed');
    expect(agreed.quote?.route).toBe(
      `0x${[dai, usdc, usdt].map((token) => token.slice(2).toLowerCase()).join('')}`,
    );
  });

  it('swaps what arrives of a token that takes a fee of its transfers', async () => {
    const taxed = await deployTaxedToken(stage);
    await createV2Pair(stage, [taxed, parseEther('1000')], [usdc, 1_000n * 10n ** 6n]);
    // The Converter gets this of one token.
    const request = { inputToken: taxed, outputToken: usdc, amountIn: parseEther('0.99') };
    const quote = await quoteOf(stage, venue, request);
    await stage.transfer(taxed, converter, parseEther('1'));
    const minOutput = (quote.amountOut * 98n) / 100n;
    const before = await stage.balance(usdc, RECIPIENT);
    const calls = quote.calls({ converter, minOutput });
    await stage.convertHeld({ ...request, minOutput, calls });
    const arrived = (await stage.balance(usdc, RECIPIENT)) - before;
    expect(arrived).toBeLessThan(quote.amountOut);
    await expectNoRemainder(stage, router, request);

    await stage.transfer(taxed, converter, parseEther('1'));
    const tooMuch = { minOutput: quote.amountOut, calls };
    await expect(stage.convertHeld({ ...request, ...tooMuch })).rejects.toThrow();
  });
});
