import type { Decimal } from '@bascule/amounts';
import type { Chain } from '@bascule/chain';
import { getAddress, zeroAddress, type Address } from 'viem';
import type { ListedToken } from '../../assets/listed-assets.js';
import { combinedPrice } from '../../prices/combined-price.js';
import { blockTime } from '../feeds/block-time.js';
import type { SourceQuote } from '../../prices/price-source.js';
import type { AgreedBlockClient } from '../agreed-block.client.js';
import type { PoolObservations } from './mean-of-window.js';
import { pairKey, poolPairs, type PoolPair } from './pool-pairs.js';
import { isBacked, poolReading, probeOf, type PoolReading } from './pool-reading.js';
import { factoryAbi, poolAbi, quoterAbi } from './uniswap-pools.js';

export interface PoolPolicy {
  /** Averaging window. */
  windowSeconds: number;
  /** Amount that a pool must trade at its average price in both directions. */
  minDepthUsd: Decimal;
  /** Maximum distance from the average, and between the pools of a token. */
  toleranceBps: number;
}

interface KnownPool {
  address: Address | null;
  lookedUpAt: number;
}

/** Pause before a missing pool is looked up again. */
const ABSENT_MS = 3_600_000;
/** Calldata of one multicall batch: quotes use much gas. */
const QUOTE_BATCH_BYTES = 4_096;

/**
 * Time-weighted average prices of Uniswap V3 pools on one chain. A spot price can be moved within one transaction, the
 * average only by holding a false price for minutes. An idle pool keeps any price, so the quoter must also confirm a
 * trade of `minDepthUsd` at the average. Several pools of a token are combined like sources.
 */
export class PoolPricesAdapter {
  readonly source: string;
  private readonly pools = new Map<string, KnownPool>();

  constructor(
    private readonly chain: Chain,
    private readonly policy: PoolPolicy,
  ) {
    this.source = `pools:${chain.name}`;
  }

  /** Reads prices of tokens against tokens with a known price, `prices`. */
  async read(
    block: AgreedBlockClient,
    now: Date,
    tokens: readonly ListedToken[],
    prices: ReadonlyMap<string, Decimal>,
  ): Promise<SourceQuote[]> {
    const { wrappedNative, uniswapV3 } = this.chain.definition.contracts;
    if (!uniswapV3) return [];
    const pairs = poolPairs(tokens, prices, { wrappedNative, ...uniswapV3 });
    await this.lookUp(block, uniswapV3.factory, pairs, now);
    const found = pairs.flatMap((pair) => {
      const address = this.pools.get(pairKey(pair))?.address;
      return address ? [{ pair, address }] : [];
    });
    if (found.length === 0) return [];
    const { confirmedAt, readings } = await this.readAverages(block, found, now);
    const backed = await this.backed(block, uniswapV3.quoterV2, readings);
    const byAsset = Map.groupBy(
      backed.flatMap(({ pair, usd }) =>
        pair.assets.map((asset) => ({
          asset,
          usd,
          source: `${this.source} ${pairKey(pair)}`,
          asOf: confirmedAt,
          confirmedAt,
        })),
      ),
      ({ asset }) => asset,
    );
    return [...byAsset].flatMap(([asset, quotes]) => {
      const { usd } = combinedPrice(quotes, this.policy);
      return usd ? [{ asset, usd, source: this.source, asOf: confirmedAt, confirmedAt }] : [];
    });
  }

  /** Looks pools up once each: their addresses never change. One of several nodes alone names none. */
  private async lookUp(
    block: AgreedBlockClient,
    factory: Address,
    pairs: readonly PoolPair[],
    now: Date,
  ): Promise<void> {
    const unknown = pairs.filter((pair) => {
      const pool = this.pools.get(pairKey(pair));
      return !pool || (!pool.address && now.getTime() - pool.lookedUpAt > ABSENT_MS);
    });
    if (unknown.length === 0) return;
    const { answers } = await block.call(
      unknown.map(({ base, quote, fee }) => ({
        address: factory,
        abi: factoryAbi,
        functionName: 'getPool',
        args: [base.address, quote.address, fee],
      })),
    );
    if (block.isLone) return;
    unknown.forEach((pair, index) => {
      const address = answers[index]?.result;
      if (typeof address !== 'string') return;
      this.pools.set(pairKey(pair), {
        address: address === zeroAddress ? null : getAddress(address),
        lookedUpAt: now.getTime(),
      });
    });
  }

  /** Reads averages in one multicall. Pools with too few observations for the window are left out. */
  private async readAverages(
    block: AgreedBlockClient,
    found: readonly { pair: PoolPair; address: Address }[],
    now: Date,
  ): Promise<{ confirmedAt: Date; readings: PoolReading[] }> {
    const { windowSeconds } = this.policy;
    const { answers, timestamp } = await block.call(
      found.map(({ address }) => ({
        address,
        abi: poolAbi,
        functionName: 'observe',
        args: [[windowSeconds, 0]],
      })),
    );
    const observations = answers.map(({ result }): unknown => result);
    const confirmedAt = blockTime(timestamp, now);
    if (!confirmedAt) throw new Error(`node of ${this.chain.name} lags behind`);
    const readings = found.flatMap(({ pair }, index) => {
      const seen = observationsOf(observations[index]);
      const reading = seen && poolReading(pair, seen, windowSeconds);
      return reading ? [reading] : [];
    });
    return { confirmedAt, readings };
  }

  /** Keeps pools that trade at their average, checked by quotes, which change no state. */
  private async backed(
    block: AgreedBlockClient,
    quoter: Address,
    readings: readonly PoolReading[],
  ): Promise<PoolReading[]> {
    const { minDepthUsd: depthUsd, toleranceBps } = this.policy;
    if (readings.length === 0) return [];
    const { answers } = await block.call(
      readings.flatMap((reading) => {
        const { base, quote, fee } = reading.pair;
        const probe = probeOf(reading, depthUsd);
        return [
          [base.address, quote.address, probe.base] as const,
          [quote.address, base.address, probe.quote] as const,
        ].map(([tokenIn, tokenOut, amountIn]) => ({
          address: quoter,
          abi: quoterAbi,
          functionName: 'quoteExactInputSingle',
          args: [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }],
        }));
      }),
      QUOTE_BATCH_BYTES,
    );
    const amounts = answers.map(({ result }) => amountOutOf(result));
    return readings.filter((reading, index) => {
      const got = { quote: amounts[2 * index] ?? 0n, base: amounts[2 * index + 1] ?? 0n };
      return isBacked(reading, { depthUsd, toleranceBps, got });
    });
  }
}

const areIntegers = (value: unknown): value is bigint[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'bigint');

function observationsOf(result: unknown): PoolObservations | null {
  const [tickCumulatives] = Array.isArray(result) ? (result as unknown[]) : [];
  return areIntegers(tickCumulatives) ? { tickCumulatives } : null;
}

/** Output of a quote; none where the call failed. */
function amountOutOf(result: unknown): bigint {
  const [amountOut] = Array.isArray(result) ? (result as unknown[]) : [];
  return typeof amountOut === 'bigint' ? amountOut : 0n;
}
