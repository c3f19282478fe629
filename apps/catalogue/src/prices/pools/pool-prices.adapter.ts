import type { Decimal } from '@bascule/amounts';
import type { Chain } from '@bascule/chain';
import { zeroAddress, type Address, type ContractFunctionParameters } from 'viem';
import type { ListedToken } from '../../assets/listed-assets.js';
import type { SourceQuote } from '../price-source.js';
import type { PoolObservations } from './mean-of-window.js';
import { pairKey, poolPairs, type PoolPair } from './pool-pairs.js';
import { deepestReadings, poolReading } from './pool-reading.js';
import { factoryAbi, poolAbi } from './uniswap-pools.js';

export interface PoolPolicy {
  /** Time over which the price is averaged. */
  windowSeconds: number;
  /** Pools whose quote side is worth less are not believed. */
  minDepthUsd: Decimal;
}

interface KnownPool {
  address: Address | null;
  lookedUpAt: number;
}

/** A pool that does not exist may be made later. */
const ABSENT_MS = 3_600_000;
/** A node that lags further behind tells of a past that is over. */
const MAX_BLOCK_AGE_MS = 300_000;

/**
 * Prices of Uniswap V3 pools on one chain, averaged over a window. The price of the moment, or a quote of the quoter,
 * can be moved within one transaction; moving the average takes holding the price against everybody else for minutes.
 */
export class PoolPrices {
  readonly source: string;
  private readonly pools = new Map<string, KnownPool>();

  constructor(
    private readonly chain: Chain,
    private readonly policy: PoolPolicy,
  ) {
    this.source = `pools:${chain.name}`;
  }

  /** `prices`: what is known of tokens that others are priced in. */
  async read(
    now: Date,
    tokens: readonly ListedToken[],
    prices: ReadonlyMap<string, Decimal>,
  ): Promise<SourceQuote[]> {
    const { wrappedNative, uniswapV3 } = this.chain.definition.contracts;
    if (!uniswapV3) return [];
    const pairs = poolPairs(tokens, prices, { wrappedNative, ...uniswapV3 });
    await this.lookUp(uniswapV3.factory, pairs, now);
    const found = pairs.flatMap((pair) => {
      const address = this.pools.get(pairKey(pair))?.address;
      return address ? [{ pair, address }] : [];
    });
    if (found.length === 0) return [];
    const { asOf, observations } = await this.observe(found.map(({ address }) => address));
    if (now.getTime() - asOf.getTime() > MAX_BLOCK_AGE_MS) return [];
    const readings = found.flatMap(({ pair }, index) => {
      const seen = observations[index];
      const reading = seen && poolReading(pair, seen, this.policy);
      return reading ? [reading] : [];
    });
    return [...deepestReadings(readings)].map(([asset, { usd }]) => ({
      asset,
      usd,
      source: this.source,
      asOf: asOf > now ? now : asOf,
    }));
  }

  /** Which pools exist: they do not move, so each is asked for once. */
  private async lookUp(factory: Address, pairs: readonly PoolPair[], now: Date): Promise<void> {
    const unknown = pairs.filter((pair) => {
      const pool = this.pools.get(pairKey(pair));
      return !pool || (!pool.address && now.getTime() - pool.lookedUpAt > ABSENT_MS);
    });
    if (unknown.length === 0) return;
    const addresses = await this.chain.client.multicall({
      allowFailure: false,
      batchSize: 0,
      contracts: unknown.map(({ base, quote, fee }) => ({
        address: factory,
        abi: factoryAbi,
        functionName: 'getPool' as const,
        args: [base.address, quote.address, fee] as const,
      })),
    });
    unknown.forEach((pair, index) => {
      const address = addresses[index];
      const exists = address !== undefined && address !== zeroAddress;
      this.pools.set(pairKey(pair), {
        address: exists ? address : null,
        lookedUpAt: now.getTime(),
      });
    });
  }

  /** One multicall. A pool whose memory is shorter than the window answers nothing. */
  private async observe(
    pools: readonly Address[],
  ): Promise<{ asOf: Date; observations: (PoolObservations | null)[] }> {
    const { multicall3 } = this.chain.definition.contracts;
    const contracts: ContractFunctionParameters[] = [
      { address: multicall3, abi: poolAbi, functionName: 'getCurrentBlockTimestamp' },
      ...pools.map((address) => ({
        address,
        abi: poolAbi,
        functionName: 'observe',
        args: [[this.policy.windowSeconds, 0]],
      })),
    ];
    const answers = await this.chain.client.multicall({
      allowFailure: true,
      batchSize: 0,
      contracts,
    });
    const [time, ...observations] = answers.map(({ result }): unknown => result);
    if (typeof time !== 'bigint') throw new Error(`${this.chain.name} tells no time`);
    return { asOf: new Date(Number(time) * 1000), observations: observations.map(observationsOf) };
  }
}

const areIntegers = (value: unknown): value is bigint[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'bigint');

function observationsOf(result: unknown): PoolObservations | null {
  const [tickCumulatives, secondsPerLiquidityCumulativeX128s] = Array.isArray(result)
    ? (result as unknown[])
    : [];
  if (!areIntegers(tickCumulatives) || !areIntegers(secondsPerLiquidityCumulativeX128s))
    return null;
  return { tickCumulatives, secondsPerLiquidityCumulativeX128s };
}
