import type { Decimal } from '@bascule/amounts';
import { isAddressEqual, zeroAddress, type Address } from 'viem';
import type { ListedToken } from '../../assets/listed-assets.js';

export interface PairToken {
  address: Address;
  decimals: number;
}

/** A token with a known price, in which pools price others. */
export interface QuoteToken extends PairToken {
  usd: Decimal;
}

export interface PoolPair {
  base: PairToken;
  quote: QuoteToken;
  fee: number;
  /** Assets that the pair prices: the token and, for a wrapper, the native currency. */
  assets: readonly string[];
}

export interface PairRules {
  wrappedNative: Address;
  /** Common quote tokens of pools besides the wrapped native currency. */
  intermediateTokens: readonly Address[];
  feeTiers: readonly number[];
}

const addressOf = ({ asset }: ListedToken): Address =>
  asset.is_native ? zeroAddress : (asset.address as Address);

/** Lists candidate pools of the listed tokens: against tokens with a known price, in every fee tier. */
export function poolPairs(
  tokens: readonly ListedToken[],
  prices: ReadonlyMap<string, Decimal>,
  { wrappedNative, intermediateTokens, feeTiers }: PairRules,
): PoolPair[] {
  const quotable = [wrappedNative, ...intermediateTokens];
  const quotes = tokens.flatMap((token): QuoteToken[] => {
    const address = addressOf(token);
    const usd = prices.get(token.id);
    const isQuotable = usd && quotable.some((other) => isAddressEqual(other, address));
    return isQuotable ? [{ address, decimals: token.asset.decimals, usd }] : [];
  });
  const native = tokens.filter(({ asset }) => asset.is_native).map(({ id }) => id);
  return tokens
    .filter(({ asset }) => !asset.is_native)
    .flatMap((token) => {
      const base = { address: addressOf(token), decimals: token.asset.decimals };
      const wraps = isAddressEqual(base.address, wrappedNative);
      const assets = [token.id, ...(wraps ? native : [])];
      return quotes
        .filter((quote) => !isAddressEqual(quote.address, base.address))
        .flatMap((quote) => feeTiers.map((fee) => ({ base, quote, fee, assets })));
    });
}

export const pairKey = ({ base, quote, fee }: PoolPair): string =>
  `${base.address}/${quote.address}/${fee}`.toLowerCase();
