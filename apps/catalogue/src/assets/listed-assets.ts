import type { ChainDefinition } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import { fiats } from './data/fiats.js';
import { tokensByChain } from './data/tokens.js';
import type { TokenListing } from './token-listing.js';

export interface ListedAsset {
  /** Lower-case fiat code or token identifier. */
  id: string;
  asset: FiatAsset | TokenAsset;
}

export interface ListedToken extends ListedAsset {
  asset: TokenAsset;
  chain: string;
  /** The price feed it is priced by, e.g. `eth/usd`. */
  pair?: string;
}

const ICONS = 'https://cdn.jsdelivr.net/gh/spothq/cryptocurrency-icons@master/svg/color';
const FLAGS = 'https://flagcdn.com';

export const listedFiats = (): ListedAsset[] =>
  Object.entries(fiats).map(([code, { flag, ...fiat }]) => ({
    id: code,
    asset: { ...fiat, symbol: code.toUpperCase(), image_url: `${FLAGS}/${flag}.svg` },
  }));

/** The native currency and the listed tokens of a chain. */
export function listedTokens(chain: ChainDefinition): ListedToken[] {
  const { name, symbol, decimals } = chain.nativeCurrency;
  const native: TokenListing = {
    address: zeroAddress,
    name,
    symbol,
    decimals,
    pair: `${symbol.toLowerCase()}/usd`,
  };
  return [native, ...(tokensByChain[chain.name] ?? [])].map((token) => toAsset(chain, token));
}

function toAsset(chain: ChainDefinition, token: TokenListing): ListedToken {
  const id = tokenIdentifier(chain.name, token.address);
  const { name, symbol, decimals, coingeckoId } = token;
  const icon = (token.wrapsNative ? chain.nativeCurrency.symbol : symbol).toLowerCase();
  return {
    id,
    chain: chain.name,
    ...(token.pair === undefined ? {} : { pair: token.pair }),
    asset: {
      chain: chain.name,
      address: id.slice(chain.name.length + 1),
      name,
      symbol,
      decimals,
      image_url: `${ICONS}/${icon}.svg`,
      is_native: token.address === zeroAddress,
      ...(coingeckoId === undefined ? {} : { coingecko_id: coingeckoId }),
      ...(token.wrapsNative ? { wrapper: tokenIdentifier(chain.name, zeroAddress) } : {}),
    },
  };
}
