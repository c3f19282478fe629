import type { ChainDefinition } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import { fiats } from './data/fiats.js';
import { tokensByChain } from './data/tokens.js';
import { ICONS } from './image-uri.js';
import type { TokenListing } from './token-listing.js';

export interface ListedAsset {
  /** Lower-case fiat code or token identifier. */
  id: string;
  asset: FiatAsset | TokenAsset;
  /** Price feed, for example `eth/usd`. */
  pair?: string;
  /** Identifier of the native currency that this token wraps. */
  wraps?: string;
}

export interface ListedToken extends ListedAsset {
  asset: TokenAsset;
  chain: string;
}

export const listedFiats = (): ListedAsset[] =>
  Object.entries(fiats).map(([code, fiat]) => ({
    id: code,
    asset: { ...fiat, symbol: code.toUpperCase() },
  }));

/** Lists the native currency of a chain, its wrapped form and its tokens. */
export function listedTokens(chain: ChainDefinition): ListedToken[] {
  const listed = tokensByChain[chain.name] ?? [];
  const isWrapped = ({ address }: TokenListing) => isWrappedNative(chain, address);
  const wrapped = listed.some(isWrapped) ? [] : [wrappedNative(chain)];
  const tokens = [...wrapped, ...listed];
  return [native(chain), ...tokens].map((token) => toAsset(chain, token));
}

const isWrappedNative = ({ contracts }: ChainDefinition, address: string): boolean =>
  contracts.wrappedNative.toLowerCase() === address.toLowerCase();

const nativeIcon = ({ nativeIcon, nativeCurrency }: ChainDefinition): string =>
  nativeIcon ?? nativeCurrency.symbol.toLowerCase();

const nativePair = (symbol: string): string => `${symbol.toLowerCase()}/usd`;

function native({ nativeCurrency, nativeCoingeckoId }: ChainDefinition): TokenListing {
  return {
    ...nativeCurrency,
    address: zeroAddress,
    pair: nativePair(nativeCurrency.symbol),
    ...(nativeCoingeckoId && { coingeckoId: nativeCoingeckoId }),
  };
}

/** Default listing of the wrapped native currency. */
function wrappedNative({ nativeCurrency, contracts }: ChainDefinition): TokenListing {
  const { name, symbol, decimals } = nativeCurrency;
  return {
    address: contracts.wrappedNative,
    name: `Wrapped ${name}`,
    symbol: `W${symbol}`,
    decimals,
    pair: nativePair(symbol),
  };
}

function toAsset(chain: ChainDefinition, token: TokenListing): ListedToken {
  const id = tokenIdentifier(chain.name, token.address);
  const { name, symbol, decimals, coingeckoId, pair, alias } = token;
  const isWrapped = isWrappedNative(chain, token.address);
  const isNative = token.address === zeroAddress;
  const icon = isNative || isWrapped ? nativeIcon(chain) : symbol.toLowerCase();
  return {
    id,
    chain: chain.name,
    ...(pair !== undefined && chain.contracts.priceFeeds?.[pair] ? { pair } : {}),
    ...(isWrapped && { wraps: tokenIdentifier(chain.name, zeroAddress) }),
    asset: {
      chain: chain.name,
      address: id.slice(chain.name.length + 1),
      name,
      symbol,
      decimals,
      image_url: token.imageUrl ?? `${ICONS}/${icon}.svg`,
      is_native: isNative,
      ...(alias === undefined ? {} : { alias }),
      ...(coingeckoId === undefined ? {} : { coingecko_id: coingeckoId }),
    },
  };
}
