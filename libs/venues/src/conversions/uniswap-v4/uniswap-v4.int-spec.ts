import { Chain } from '@bascule/chain';
import { developmentAddresses } from '@bascule/solidity';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseEther, zeroAddress, type Address } from 'viem';
import { agreedQuote, quotesOfNodes } from '../agreed-quote.js';
import { PoolVenue } from '../pool-venue.js';
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
import { createV4Pool } from '../testing/v4-pool.fixture.js';
import { uniswapV4 } from './uniswap-v4.js';

const {
  converter,
  dai,
  eurc,
  universalRouter: router,
  usdc,
  usdt,
  wbtc,
  weth,
} = developmentAddresses;
const NATIVE = zeroAddress;
const POOLLESS: Address = '0x00000000000000000000000000000000000000bb';

const ONE = 2n ** 96n;
const FULL_RANGE = { tickLower: -887_220, tickUpper: 887_220 };

describe('Uniswap V4 on a chain with real pools', () => {
  const venue = new PoolVenue(uniswapV4);
  let stage: ConversionStage;

  /** Pool of a token and wrapped native currency at 3,000 dollars. */
  const createWrappedPool = async (
    token: Address,
    { amount, liquidity, root }: { amount: bigint; liquidity: bigint; root: [bigint, bigint] },
  ): Promise<void> => {
    const [above, below] = root;
    const isFirst = BigInt(token) < BigInt(weth);
    await createV4Pool(stage, {
      a: token,
      b: weth,
      amountA: amount,
      amountB: parseEther('200'),
      sqrtPriceX96: isFirst ? (ONE * above) / below : (ONE * below) / above,
      liquidity,
      ...FULL_RANGE,
    });
  };

  beforeAll(async () => {
    stage = await startConversionStage();
    await createWrappedPool(dai, {
      amount: parseEther('600000'),
      liquidity: parseEther('10000'),
      root: [1_000n, 54_772n],
    });
    await createWrappedPool(usdc, {
      amount: 600_000n * 10n ** 6n,
      liquidity: 10n ** 16n,
      root: [18_257n, 1n],
    });
  });
  afterAll(() => stage.stop());

  /** Pools of a route: 20 bytes of a currency, then 26 for each pool. */
  const pools = (route: string): number => ((route.length - 2) / 2 - 20) / 26;

  it.each<[string, Address, Address, bigint, number]>([
    ['native currency into its own pool', NATIVE, eurc, parseEther('0.01'), 1],
    ['one pool', eurc, usdc, 1_000_000_000n, 1],
    ['a token whose transfers return nothing', usdt, usdc, 1_000_000_000n, 1],
    ['an intermediate token', eurc, usdt, 1_000_000_000n, 2],
    ['native currency into a pool of the wrapped form', NATIVE, dai, parseEther('1'), 1],
    ['native currency through two pools', NATIVE, usdt, parseEther('1'), 2],
    ['the wrapped form into a pool of native currency', weth, eurc, parseEther('1'), 1],
    ['the wrapped form into its own pool', weth, dai, parseEther('1'), 1],
    ['native currency out of its own pool', eurc, NATIVE, 10_000_000n, 1],
    ['native currency out of a pool of the wrapped form', dai, NATIVE, parseEther('1000'), 1],
    ['native currency out of two pools', usdt, NATIVE, 1_000_000_000n, 2],
    ['wrapped native currency between two pools', dai, usdc, parseEther('1000'), 2],
    ['the wrapped form out of a pool of native currency', eurc, weth, 1_000_000_000n, 1],
  ])(
    'returns exactly the quoted amount: %s',
    async (_, inputToken, outputToken, amountIn, hops) => {
      const request = { inputToken, outputToken, amountIn };
      const quote = await expectExactConversion(stage, { venue, router }, request);
      expect(pools(quote.route)).toBe(hops);
    },
  );

  it.each<[string, Address, Address, bigint]>([
    ['one pool', eurc, usdc, 1_234_567n],
    ['two pools', eurc, usdt, 1_234_567n],
    ['native currency in', NATIVE, eurc, 1_234_567n],
    ['native currency out of a pool of the wrapped form', dai, NATIVE, parseEther('0.1') + 1n],
  ])('quotes the least input of an output: %s', async (_, inputToken, outputToken, amountOut) => {
    // Each pool rounds both ways, by a unit.
    await expectLeastInput(stage, venue, { inputToken, outputToken, amountOut, tolerance: 1n });
  });

  it('lists the pairs that it quotes, and no others', async () => {
    await expectListedPairs(stage, venue, [NATIVE, weth, dai, eurc, usdc, usdt, wbtc, POOLLESS]);
  });

  it('has no quote without a pool, for nothing, and for more than a pool can count', async () => {
    const view = stage.chain.anyNode;
    const none = async (outputToken: Address, amount: bigint) => {
      const tokens = { inputToken: eurc, outputToken };
      expect(await venue.quoteExactInput(view, { ...tokens, amountIn: amount })).toBeNull();
      expect(await venue.quoteExactOutput(view, { ...tokens, amountOut: amount })).toBeNull();
    };
    await none(POOLLESS, 1n);
    await none(usdc, 0n);
    await none(usdc, 2n ** 127n);
    await none(usdc, 2n ** 256n - 1n);
  });

  it('throws for an unavailable chain instead of reporting no pools', async () => {
    const { definition } = stage;
    const unreachable = new Chain({ definition, rpcUrls: ['http://127.0.0.1:9'] }).anyNode;
    const request = { inputToken: eurc, outputToken: usdc, amountIn: 1_000_000n };
    await expect(venue.quoteExactInput(unreachable, request)).rejects.toThrow();
    await expect(venue.pairs(unreachable, [eurc, usdc])).rejects.toThrow();
  });

  it('names the route by which two nodes agree', async () => {
    const { definition, rpcUrl } = stage;
    const chain = new Chain({ definition, rpcUrls: [rpcUrl, `${rpcUrl}/`] });
    const request = { inputToken: eurc, outputToken: usdc, amountIn: 1_000_000n };
    const agreed = agreedQuote(chain, await quotesOfNodes([venue], chain, request), {});
    expect(agreed.kind).toBe('agreed');
    const [from, to] = [eurc, usdc].map((token) => token.slice(2).toLowerCase());
    expect(agreed.quote?.route).toBe(`0x${from}0001f400000a${to}`);
  });

  it('swaps what a stranger left in the router as well, so that nothing stays there', async () => {
    const request = { inputToken: eurc, outputToken: usdc, amountIn: 1_000_000n };
    const quote = await quoteOf(stage, venue, request);
    await stage.transfer(eurc, router, 500_000n);
    const minOutput = quote.amountOut;
    const before = await stage.balance(usdc, RECIPIENT);
    await stage.convert({ ...request, minOutput, calls: quote.calls({ converter, minOutput }) });
    expect((await stage.balance(usdc, RECIPIENT)) - before).toBeGreaterThan(minOutput);
    await expectNoRemainder(stage, router, request);
  });

  describe('with a pool whose liquidity ends', () => {
    const thin = { inputToken: eurc, outputToken: wbtc };

    beforeAll(() =>
      createV4Pool(stage, {
        a: eurc,
        b: wbtc,
        amountA: 10_000_000n,
        amountB: 10_000_000n,
        sqrtPriceX96: ONE,
        tickLower: -60,
        tickUpper: 60,
        liquidity: 10n ** 9n,
      }),
    );

    it('has no quote for more than the pool takes or gives', async () => {
      const view = stage.chain.anyNode;
      expect(await venue.quoteExactInput(view, { ...thin, amountIn: 2_500_000n })).not.toBeNull();
      expect(await venue.quoteExactInput(view, { ...thin, amountIn: 3_500_000n })).toBeNull();
      const exact = (amountOut: bigint) => venue.quoteExactOutput(view, { ...thin, amountOut });
      expect(await exact(2_500_000n)).not.toBeNull();
      expect(await exact(3_500_000n)).toBeNull();
    });

    it('fails as a whole when liquidity ends before the swap, and leaves nothing', async () => {
      const early = await quoteOf(stage, venue, { ...thin, amountIn: 2_500_000n });
      await expectExactConversion(stage, { venue, router }, { ...thin, amountIn: 2_000_000n });
      const request = { ...thin, amountIn: 2_500_000n, minOutput: 1n };
      const calls = early.calls({ converter, minOutput: 1n });
      await expect(stage.convert({ ...request, calls })).rejects.toThrow();
      expect(await stage.balance(eurc, converter)).toBe(2_500_000n);
      expect(await stage.balance(eurc, router)).toBe(0n);
    });
  });
});
