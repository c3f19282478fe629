import { compareDecimals, formatDecimal, parseDecimal } from '@bascule/amounts';
import { Chain, chainDefinitions, type ChainContracts } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, priceFeedAbi } from '@bascule/solidity';
import { startTestChain, type TestChain } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestClient,
  createWalletClient,
  erc20Abi,
  http,
  parseAbi,
  publicActions,
  type Address,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { listedTokens } from '../assets/listed-assets.js';
import { OnchainPrices } from './onchain-prices.adapter.js';
import type { PoolPolicy } from './pools/pool-prices.adapter.js';
import type { Observation } from './price-source.js';

const poolAbi = parseAbi([
  'function increaseObservationCardinalityNext(uint16 observationCardinalityNext)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256 amountOut)',
]);
const { usdc, weth, wbtc, priceFeeds, uniswapV3Factory, swapRouter02 } = developmentAddresses;
const definition = chainDefinitions['alphanet'];
const FEE_TIERS = [500, 3000, 10_000];
const HOUR = 3_600;
const policy: PoolPolicy = { windowSeconds: 1_800, minDepthUsd: parseDecimal('1000') };
const id = (address: string): string => `alphanet:${address.toLowerCase()}`;

describe('prices on a chain', () => {
  let chain: TestChain;
  let owner: ReturnType<typeof walletOf>;
  let node: ReturnType<typeof nodeOf>;

  const walletOf = () =>
    createWalletClient({
      account: privateKeyToAccount(developmentAccounts[1].privateKey),
      transport: http(chain.rpcUrl),
    }).extend(publicActions);
  const nodeOf = () =>
    createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions);

  beforeAll(async () => {
    chain = await startTestChain();
    [owner, node] = [walletOf(), nodeOf()];
  });
  afterAll(() => chain.stop());

  async function setAnswer(feed: Address, answer: bigint): Promise<void> {
    const setter = { address: feed, abi: priceFeedAbi, functionName: 'setAnswer' } as const;
    const hash = await owner.writeContract({ ...setter, chain: null, args: [answer] });
    await owner.waitForTransactionReceipt({ hash });
  }

  const pass = async (seconds: number): Promise<void> => {
    await node.increaseTime({ seconds });
    await node.mine({ blocks: 1 });
  };
  const onChainTime = async (plusSeconds = 0): Promise<Date> => {
    const { timestamp } = await node.getBlock();
    return new Date((Number(timestamp) + plusSeconds) * 1000);
  };

  /** As a chain whose definition differs in this. */
  async function observe(
    contracts: Partial<ChainContracts> = {},
    o: { now?: Date; pools?: PoolPolicy } = {},
  ): Promise<Observation & { prices: Record<string, string> }> {
    if (!definition) throw new Error('alphanet is not defined');
    const own = { ...definition, contracts: { ...definition.contracts, ...contracts } };
    const source = new OnchainPrices(
      new Chain({ definition: own, rpcUrls: [chain.rpcUrl] }),
      o.pools,
    );
    const assets = { fiats: [], tokens: listedTokens(own) };
    const observation = await source.observe(o.now ?? (await onChainTime()), assets);
    const prices = observation.quotes.map(({ asset, source: of, usd }) => [
      `${of} ${asset}`,
      formatDecimal(usd),
    ]);
    return { ...observation, prices: Object.fromEntries(prices) as Record<string, string> };
  }

  describe('by its feeds', () => {
    it('are those of its tokens, the native currency like its wrapped form', async () => {
      await setAnswer(priceFeeds.ethUsd, 312_345_000_000n);
      const { prices, troubles } = await observe();
      expect(troubles).toEqual([]);
      expect(prices).toMatchObject({
        'feeds:alphanet alphanet:0x': '3123.45',
        [`feeds:alphanet ${id(weth)}`]: '3123.45',
      });
      expect(Object.keys(prices)).toHaveLength(5);
    });

    it('are missing once a feed is older than its heartbeat', async () => {
      const now = await onChainTime(2 * HOUR);
      const { prices } = await observe({}, { now });
      expect(prices).not.toHaveProperty('feeds:alphanet alphanet:0x');
      // A stable coin's feed is updated once a day.
      expect(prices).toHaveProperty(`feeds:alphanet ${id(usdc)}`);
    });

    it.each([0n, -5n])('are missing while the feed says %d', async (answer) => {
      await setAnswer(priceFeeds.btcUsd, answer);
      const { prices } = await observe();
      expect(prices).not.toHaveProperty(`feeds:alphanet ${id(wbtc)}`);
      expect(prices).toHaveProperty(`feeds:alphanet ${id(weth)}`);
    });

    it('are not taken from a feed that is of something else', async () => {
      const { prices, troubles } = await observe({
        priceFeeds: {
          ...definition?.contracts.priceFeeds,
          'eth/usd': { address: priceFeeds.usdcUsd, heartbeatSeconds: HOUR },
        },
      });
      expect(prices).not.toHaveProperty('feeds:alphanet alphanet:0x');
      expect(String(troubles[0])).toContain('USDC / USD');
    });

    it('are missing where there is no feed at the address, which is said', async () => {
      const { prices, troubles } = await observe({
        priceFeeds: {
          ...definition?.contracts.priceFeeds,
          'eth/usd': { address: `0x${'9'.repeat(40)}`, heartbeatSeconds: HOUR },
        },
      });
      expect(prices).not.toHaveProperty('feeds:alphanet alphanet:0x');
      expect(troubles.length).toBeGreaterThan(0);
    });

    it('wait until a rollup’s sequencer has been up for an hour', async () => {
      const rollup = { sequencerUptimeFeed: priceFeeds.usdtUsd };
      // This feed is always of the newest block: that is when the sequencer came back.
      await setAnswer(priceFeeds.usdtUsd, 0n);
      expect((await observe(rollup, { now: await onChainTime(HOUR - 60) })).prices).toEqual({});
      const { prices } = await observe(rollup, { now: await onChainTime(HOUR + 60) });
      expect(prices).toHaveProperty('feeds:alphanet alphanet:0x');
      await setAnswer(priceFeeds.usdtUsd, 1n);
      const down = await observe(rollup, { now: await onChainTime(HOUR + 60) });
      expect(down.prices).toEqual({});
      expect(String(down.troubles[0])).toContain('sequencer');
      await setAnswer(priceFeeds.usdtUsd, 100_000_000n);
    });
  });

  describe('by its pools', () => {
    const pools = { pools: policy };
    const priceOf = async (token: Address): Promise<string> => {
      const { prices } = await observe({}, pools);
      return prices[`pools:alphanet ${id(token)}`] ?? 'none';
    };
    const isNear = (price: string, expected: string, percent: number): boolean => {
      const low = parseDecimal(String((Number(expected) * (100 - percent)) / 100));
      const high = parseDecimal(String((Number(expected) * (100 + percent)) / 100));
      return compareDecimals(price, low) >= 0 && compareDecimals(price, high) <= 0;
    };

    beforeAll(async () => {
      for (const [a, b] of [
        [weth, usdc],
        [wbtc, usdc],
        [wbtc, weth],
      ] as const) {
        for (const fee of FEE_TIERS) await remember(a, b, fee);
      }
      await pass(HOUR);
    });

    async function remember(a: Address, b: Address, fee: number): Promise<void> {
      const pool = await poolOf(a, b, fee);
      if (BigInt(pool) === 0n) return;
      const hash = await owner.writeContract({
        chain: null,
        address: pool,
        abi: poolAbi,
        functionName: 'increaseObservationCardinalityNext',
        args: [50],
      });
      await owner.waitForTransactionReceipt({ hash });
    }
    const poolOf = (a: Address, b: Address, fee: number): Promise<Address> =>
      node.readContract({
        address: uniswapV3Factory,
        abi: poolAbi,
        functionName: 'getPool',
        args: [a, b, fee],
      });

    it('are averages in US dollars, of a token without a feed too', async () => {
      const wethPrice = await priceOf(weth);
      expect(wethPrice).toMatch(/^\d+\.\d+$/);
      // The feed of bitcoin says nothing since an earlier test; pools against known tokens do.
      expect(await priceOf(wbtc)).toMatch(/^\d+\.\d+$/);
      const { prices } = await observe({}, pools);
      expect(prices['pools:alphanet alphanet:0x']).toBe(wethPrice);
    });

    it('are hardly moved by who trades a lot at once', async () => {
      const before = await priceOf(weth);
      const amountIn = 5_000_000n * 10n ** 6n;
      const send = async (hash: Promise<`0x${string}`>): Promise<void> => {
        await owner.waitForTransactionReceipt({ hash: await hash });
      };
      const holder = privateKeyToAccount(developmentAccounts[0].privateKey);
      await send(
        owner.writeContract({
          account: holder,
          chain: null,
          address: usdc,
          abi: erc20Abi,
          functionName: 'approve',
          args: [swapRouter02, amountIn],
        }),
      );
      for (const fee of FEE_TIERS) {
        if (BigInt(await poolOf(weth, usdc, fee)) === 0n) continue;
        await send(
          owner.writeContract({
            account: holder,
            chain: null,
            address: swapRouter02,
            abi: poolAbi,
            functionName: 'exactInputSingle',
            args: [
              {
                tokenIn: usdc,
                tokenOut: weth,
                fee,
                recipient: holder.address,
                amountIn: amountIn / 5n,
                amountOutMinimum: 0n,
                sqrtPriceLimitX96: 0n,
              },
            ],
          }),
        );
      }
      // Within the next block the average has hardly seen the new price; after the window it is the new price.
      await pass(1);
      const during = await priceOf(weth);
      await pass(HOUR);
      const after = await priceOf(weth);
      expect(isNear(during, before, 1)).toBe(true);
      expect(isNear(after, before, 1)).toBe(false);
    });

    it('are not believed of pools that are too thin', async () => {
      const { prices, troubles } = await observe(
        {},
        { pools: { ...policy, minDepthUsd: parseDecimal('1000000000000') } },
      );
      expect(Object.keys(prices).filter((key) => key.startsWith('pools:'))).toEqual([]);
      expect(troubles).toEqual([]);
    });

    it('are missing where the pool’s memory is shorter than the window', async () => {
      const { prices } = await observe({}, { pools: { ...policy, windowSeconds: 20 * 24 * HOUR } });
      expect(Object.keys(prices).filter((key) => key.startsWith('pools:'))).toEqual([]);
    });

    it('are missing when the node lags behind', async () => {
      const { prices } = await observe({}, { ...pools, now: await onChainTime(600) });
      expect(Object.keys(prices).filter((key) => key.startsWith('pools:'))).toEqual([]);
    });
  });
});
