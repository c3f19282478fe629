import { decimal, valueOf } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { priceFeedAbi } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../wire/api-error.js';
import type { SoldToken } from '../offers/sold-tokens.js';
import type { Market } from './price-order.js';

const NATIVE_FEED = 'eth/usd';
const FRESH_MS = 1_000;

/** Reads current token prices and gas prices from the chains. */
@Injectable()
export class MarketClient {
  private readonly recent = new Map<string, { at: number; market: Promise<Market> }>();

  constructor(private readonly chains: Chains) {}

  /** Cache lifetime of reads, since quotes come in bursts. */
  read(network: string, token: SoldToken): Promise<Market> {
    const key = `${network}:${token.symbol}`;
    const known = this.recent.get(key);
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.market;
    const market = this.readNow(this.chains.get(network), token);
    this.recent.set(key, { at: performance.now(), market });
    market.catch(() => this.recent.delete(key));
    return market;
  }

  private async readNow(chain: Chain, token: SoldToken): Promise<Market> {
    try {
      const [tokenUsd, nativeUsd, gasPrice] = await Promise.all([
        this.price(chain, token.priceFeed),
        this.price(chain, NATIVE_FEED),
        chain.anyNode.client.getGasPrice(),
      ]);
      const { decimals } = chain.definition.nativeCurrency;
      return {
        tokenUsd,
        networkFeeUsd: valueOf(gasPrice * token.transferGas, decimals, nativeUsd),
      };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError('unavailable', `${chain.name} cannot be priced at the moment.`);
    }
  }

  private async price(chain: Chain, feed: string): Promise<Decimal> {
    const address = chain.definition.contracts.priceFeeds?.[feed]?.address;
    if (address === undefined)
      throw new ApiError('unsupported_asset', 'Token without a price feed.');
    const contract = { address, abi: priceFeedAbi } as const;
    const [round, decimals] = await Promise.all([
      chain.anyNode.client.readContract({ ...contract, functionName: 'latestRoundData' }),
      chain.anyNode.client.readContract({ ...contract, functionName: 'decimals' }),
    ]);
    const [, answer] = round;
    if (answer <= 0n) throw new ApiError('unavailable', 'The price is not usable.');
    return decimal(answer, decimals);
  }
}
