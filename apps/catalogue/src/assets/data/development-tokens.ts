import { developmentAddresses } from '@bascule/solidity';
import type { TokenListing } from '../token-listing.js';

const { weth, usdc, usdt, wbtc } = developmentAddresses;

/** Tokens of every development chain, at the same addresses. */
export const developmentTokens: readonly TokenListing[] = [
  {
    address: weth,
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    pair: 'eth/usd',
    coingeckoId: 'weth',
  },
  {
    address: usdc,
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
  },
  {
    address: usdt,
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    pair: 'usdt/usd',
    coingeckoId: 'tether',
  },
  {
    address: wbtc,
    name: 'Wrapped Bitcoin',
    symbol: 'WBTC',
    decimals: 8,
    pair: 'btc/usd',
    coingeckoId: 'wrapped-bitcoin',
  },
];
