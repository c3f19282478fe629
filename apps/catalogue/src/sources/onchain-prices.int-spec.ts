import { compareDecimals, formatDecimal, parseDecimal } from '@bascule/amounts';
import { Chain, chainDefinitions, type ChainContracts } from '@bascule/chain';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, priceFeedAbi } from '@bascule/solidity';
import {
  startCapturingServer,
  startTestChain,
  type CapturingServer,
  type TestChain,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  concatHex,
  createTestClient,
  createWalletClient,
  erc20Abi,
  http,
  parseAbi,
  publicActions,
  toHex,
  type Address,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { listedTokens } from '../assets/listed-assets.js';
import { AgreedBlockClient } from './agreed-block.client.js';
import { OnchainPricesAdapter } from './onchain-prices.adapter.js';
import { PoolPricesAdapter, type PoolPolicy } from './pools/pool-prices.adapter.js';
import type { Observation } from '../prices/price-source.js';

const poolAbi = parseAbi([
  'function increaseObservationCardinalityNext(uint16 observationCardinalityNext)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256 amountOut)',
]);
const positionManagerAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
]);
const { usdc, weth, wbtc, priceFeeds, uniswapV3Factory, swapRouter02, positionManager } =
  developmentAddresses;
const definition = chainDefinitions['alphanet'];
const FEE_TIERS = [500, 3000, 10_000];
const HOUR = 3_600;
const TOLERANCE_BPS = 300;
/** Code that returns the 160 bytes behind it for every call. */
const ANSWERS_WHAT_FOLLOWS = '0x60a0600c60003960a06000f3';
const policy: PoolPolicy = {
  windowSeconds: 1_800,
  minDepthUsd: parseDecimal('1000'),
  toleranceBps: 300,
};
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

  /** A proxy of the node that counts distinct contract calls. */
  async function startCountingNode(): Promise<{ server: CapturingServer; calls: () => number }> {
    const server = await startCapturingServer(async ({ body }) => {
      const headers = { 'content-type': 'application/json' };
      const question = { method: 'POST', headers, body: body.toString('utf8') };
      const answer = await fetch(chain.rpcUrl, question);
      return { headers, body: await answer.text() };
    });
    const questionsIn = (body: Buffer): { method: string; params: unknown }[] => {
      const sent: unknown = JSON.parse(body.toString('utf8'));
      return [sent].flat() as { method: string; params: unknown }[];
    };
    const calls = (): number => {
      const asked = server.requests.flatMap(({ body }) => questionsIn(body));
      const ofContracts = asked.filter(({ method }) => method === 'eth_call');
      return new Set(ofContracts.map(({ params }) => JSON.stringify(params))).size;
    };
    return { server, calls };
  }

  /** Observes prices on a chain with changed contracts. */
  async function observe(
    contracts: Partial<ChainContracts> = {},
    o: { now?: Date; pools?: PoolPolicy; rpcUrl?: string } = {},
  ): Promise<Observation & { prices: Record<string, string> }> {
    if (!definition) throw new Error('alphanet is not defined');
    const own = { ...definition, contracts: { ...definition.contracts, ...contracts } };
    const source = new OnchainPricesAdapter(
      new Chain({ definition: own, rpcUrls: [o.rpcUrl ?? chain.rpcUrl] }),
      TOLERANCE_BPS,
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
    it('cover its tokens and price the native currency like its wrapped form', async () => {
      await setAnswer(priceFeeds.ethUsd, 312_345_000_000n);
      const { prices, errors } = await observe();
      expect(errors).toEqual([]);
      expect(prices).toMatchObject({
        'feeds:alphanet alphanet:0x': '3123.45',
        [`feeds:alphanet ${id(weth)}`]: '3123.45',
      });
      expect(Object.keys(prices)).toHaveLength(5);
    });

    it('are read by one call, sequencer feed included', async () => {
      const { server, calls } = await startCountingNode();
      try {
        const now = await onChainTime();
        const { prices } = await observe({}, { now, rpcUrl: server.url });
        expect(Object.keys(prices).length).toBeGreaterThan(3);
        expect(calls()).toBe(1);
        const uptime = { sequencerUptimeFeed: priceFeeds.ethUsd };
        await observe(uptime, { now, rpcUrl: server.url });
        expect(calls()).toBe(2);
      } finally {
        await server.stop();
      }
    });

    it('are missing once a feed is older than its heartbeat', async () => {
      const feeds = {
        priceFeeds: {
          ...definition?.contracts.priceFeeds,
          'eth/usd': { address: priceFeeds.ethUsd, heartbeatSeconds: 60 },
        },
      };
      const { prices } = await observe(feeds, { now: await onChainTime(150) });
      expect(prices).not.toHaveProperty('feeds:alphanet alphanet:0x');
      expect(prices).toHaveProperty(`feeds:alphanet ${id(usdc)}`);
    });

    it('are missing when the node lags behind, for any heartbeat', async () => {
      const { prices, errors } = await observe({}, { now: await onChainTime(400) });
      expect(prices).toEqual({});
      expect(String(errors[0])).toContain('lags behind');
    });

    it.each([0n, -5n])('are missing while the feed reports %d', async (answer) => {
      await setAnswer(priceFeeds.btcUsd, answer);
      const { prices } = await observe();
      expect(prices).not.toHaveProperty(`feeds:alphanet ${id(wbtc)}`);
      expect(prices).toHaveProperty(`feeds:alphanet ${id(weth)}`);
    });

    it('are missing when the feed describes another pair', async () => {
      const { prices, errors } = await observe({
        priceFeeds: {
          ...definition?.contracts.priceFeeds,
          'eth/usd': { address: priceFeeds.usdcUsd, heartbeatSeconds: HOUR },
        },
      });
      expect(prices).not.toHaveProperty('feeds:alphanet alphanet:0x');
      expect(String(errors[0])).toContain('USDC / USD');
    });

    it('are missing with an error when no feed exists at the address', async () => {
      const { prices, errors } = await observe({
        priceFeeds: {
          ...definition?.contracts.priceFeeds,
          'eth/usd': { address: `0x${'9'.repeat(40)}`, heartbeatSeconds: HOUR },
        },
      });
      expect(prices).not.toHaveProperty('feeds:alphanet alphanet:0x');
      expect(errors.length).toBeGreaterThan(0);
    });

    it('are missing until the sequencer of the rollup has been up for an hour', async () => {
      const sequencerUptimeFeed: Address = `0x${'5'.repeat(40)}`;
      const since = async (answer: bigint, secondsAgo: number): Promise<Observation> => {
        const { timestamp } = await node.getBlock();
        const startedAt = timestamp - BigInt(secondsAgo);
        const round = [1n, answer, startedAt, startedAt, 1n].map((word) =>
          toHex(word, { size: 32 }),
        );
        await node.setCode({
          address: sequencerUptimeFeed,
          bytecode: concatHex([ANSWERS_WHAT_FOLLOWS, ...round]),
        });
        return observe({ sequencerUptimeFeed });
      };
      expect((await since(0n, HOUR - 60)).quotes).toEqual([]);
      expect((await since(0n, HOUR + 60)).quotes).not.toEqual([]);
      const down = await since(1n, 5 * HOUR);
      expect(down.quotes).toEqual([]);
      expect(String(down.errors[0])).toContain('sequencer');
      expect(down.retracted).toContain(id(weth));
      // A failed read is no evidence that the last prices are wrong.
      const unread = await observe({ sequencerUptimeFeed: `0x${'6'.repeat(40)}` });
      expect([unread.quotes, unread.retracted]).toEqual([[], []]);
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
      // Equal to the price of the pools.
      await setAnswer(priceFeeds.ethUsd, 300_000_000_000n);
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

    it('are averages in US dollars, also for a token without a feed', async () => {
      const wethPrice = await priceOf(weth);
      expect(wethPrice).toMatch(/^\d+\.\d+$/);
      // The bitcoin feed has no price since an earlier test; pools against priced tokens have one.
      expect(await priceOf(wbtc)).toMatch(/^\d+\.\d+$/);
      const { prices } = await observe({}, pools);
      expect(prices['pools:alphanet alphanet:0x']).toBe(wethPrice);
    });

    it('ignore a pool with a false price and little liquidity', async () => {
      const before = await priceOf(weth);
      await openThinPool({ usdcPerWeth: 3_120n, fee: 10_000, tickSpacing: 200 });
      expect(BigInt(await poolOf(weth, usdc, 10_000))).not.toBe(0n);
      await pass(HOUR);
      expect(await priceOf(weth)).toBe(before);
    });

    /** Twenty dollars in the smallest range, which appear as large liquidity. */
    async function openThinPool(o: {
      usdcPerWeth: bigint;
      fee: number;
      tickSpacing: number;
    }): Promise<void> {
      const sides = [
        { token: usdc, amount: 20n * 10n ** 6n },
        { token: weth, amount: (20n * 10n ** 18n) / o.usdcPerWeth },
      ].sort((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1));
      const [side0, side1] = sides;
      if (!side0 || !side1) throw new Error('a pool has two sides');
      const ratio = Number(side1.amount) / Number(side0.amount);
      const tick = Math.floor(Math.log(ratio) / Math.log(1.0001) / o.tickSpacing) * o.tickSpacing;
      // The estimate is for the current block, and the next one has more to write.
      const gas = 8_000_000n;
      const write = {
        chain: null,
        gas,
        address: positionManager,
        abi: positionManagerAbi,
      } as const;
      const sent = async (hash: Promise<`0x${string}`>): Promise<void> => {
        const { status } = await owner.waitForTransactionReceipt({ hash: await hash });
        expect(status).toBe('success');
      };
      await sent(
        owner.sendTransaction({
          chain: null,
          to: weth,
          value: 10n ** 18n,
          data: '0xd0e30db0',
        }),
      );
      await sent(
        owner.writeContract({
          ...write,
          functionName: 'createAndInitializePoolIfNecessary',
          args: [
            side0.token,
            side1.token,
            o.fee,
            BigInt(Math.floor(Math.sqrt(ratio) * 2 ** 60)) << 36n,
          ],
        }),
      );
      await sent(
        owner.writeContract({
          ...write,
          functionName: 'mint',
          args: [
            {
              token0: side0.token,
              token1: side1.token,
              fee: o.fee,
              tickLower: tick,
              tickUpper: tick + o.tickSpacing,
              amount0Desired: side0.amount,
              amount1Desired: side1.amount,
              amount0Min: 0n,
              amount1Min: 0n,
              recipient: owner.account.address,
              deadline: 2n ** 255n,
            },
          ],
        }),
      );
    }

    it('barely change after one large trade', async () => {
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
      // A sixth of each pool's reserves.
      for (const [fee, dollars] of [
        [500, 1_500_000n],
        [3000, 1_000_000n],
      ] as const) {
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
                amountIn: dollars * 10n ** 6n,
                amountOutMinimum: 0n,
                sqrtPriceLimitX96: 0n,
              },
            ],
          }),
        );
      }
      // Within the next block the average has hardly seen the new price; after the window it is the new price.
      await pass(1);
      const patient = { pools: { ...policy, toleranceBps: 9_900 } };
      const { prices: moved } = await observe({}, patient);
      const during = moved[`pools:alphanet ${id(weth)}`] ?? 'none';
      // Pools that do not trade at their average now are rejected too.
      const strictly = await priceOf(weth);
      await pass(HOUR);
      const after = await priceOf(weth);
      expect(isNear(during, before, 1)).toBe(true);
      expect(strictly).toBe('none');
      expect(isNear(after, before, 1)).toBe(false);
    });

    it('ignore pools that are too thin', async () => {
      const { prices, errors } = await observe(
        {},
        { pools: { ...policy, minDepthUsd: parseDecimal('1000000000000') } },
      );
      expect(Object.keys(prices).filter((key) => key.startsWith('pools:'))).toEqual([]);
      expect(errors).toEqual([]);
    });

    it('are missing when the history of the pool is shorter than the window', async () => {
      const { prices } = await observe({}, { pools: { ...policy, windowSeconds: 20 * 24 * HOUR } });
      expect(Object.keys(prices).filter((key) => key.startsWith('pools:'))).toEqual([]);
    });

    it('are rejected when the node lags behind, also with a given dollar price', async () => {
      if (!definition) throw new Error('alphanet is not defined');
      const alphanet = new Chain({ definition, rpcUrls: [chain.rpcUrl] });
      const source = new PoolPricesAdapter(alphanet, policy);
      const [tokens, dollar] = [listedTokens(definition), parseDecimal('1')];
      const read = async (plusSeconds: number): Promise<unknown[]> =>
        source.read(
          await AgreedBlockClient.latest(alphanet),
          await onChainTime(plusSeconds),
          tokens,
          new Map([[id(usdc), dollar]]),
        );
      expect((await read(0)).length).toBeGreaterThan(0);
      await expect(read(600)).rejects.toThrow('lags behind');
    });

    it('are missing when the node of the chain lags behind', async () => {
      const { prices } = await observe({}, { ...pools, now: await onChainTime(600) });
      expect(Object.keys(prices).filter((key) => key.startsWith('pools:'))).toEqual([]);
    });
  });
});
