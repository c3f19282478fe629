import { convert } from '@bascule/amounts';
import { gasPricesOf, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import type { GasValue } from '@bascule/venues';
import { ChainUnreadableError, readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';

const CHAIN_TIMEOUT_MS = 2_000;
const FRESH_MS = 1_000;
const MAX_CHAINS = 100;

/** Says what gas is worth, so that conversions are compared by what they leave after it. */
@Injectable()
export class GasPricesService {
  /** One request to each node serves all legs that start in the same second. */
  private readonly prices = new LRUCache<string, { wei: bigint | null }, Chain>({
    max: MAX_CHAINS,
    ttl: FRESH_MS,
    fetchMethod: async (_, __, { context: chain }) => ({ wei: await this.readPrice(chain) }),
  });

  constructor(
    private readonly directory: AssetDirectoryRepository,
    private readonly context: ServiceContext,
  ) {}

  /** Value of gas in a token of the chain; 0 while a price, or the chain's gas price, is unknown. */
  async valueIn(chain: Chain, token: Address): Promise<GasValue> {
    const native = tokenIdentifier(chain.name, ZERO_ADDRESS);
    const asset = tokenIdentifier(chain.name, token);
    const [{ wei }, facts] = await Promise.all([
      this.prices.forceFetch(chain.name, { context: chain }),
      this.directory.describe([native, asset]),
    ]);
    const [from, to] = [native, asset].map((id) => facts.find((known) => known.token === id));
    if (wei === null || from?.usdPrice == null || to?.usdPrice == null) return () => 0n;
    const { decimals, usdPrice } = from;
    const wanted = [to.decimals, to.usdPrice, 'up'] as const;
    return (gas) => convert(gas * wei, decimals, usdPrice, ...wanted);
  }

  /** The lower price of two nodes: one that tells a high price alone prefers no worse route with less gas. */
  private async readPrice(chain: Chain): Promise<bigint | null> {
    try {
      return (await readChain(chain.name, CHAIN_TIMEOUT_MS, gasPricesOf(chain))).lower;
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      this.context.logger.warn({ err: error, chain: chain.name }, 'gas price could not be read');
      return null;
    }
  }
}
