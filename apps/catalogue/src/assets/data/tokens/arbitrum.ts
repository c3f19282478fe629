// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
    name: 'Bridged USD Coin',
    symbol: 'USDC.e',
    decimals: 6,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    name: 'USD₮0',
    symbol: 'USDT0',
    decimals: 6,
    alias: 'USDT',
    coingeckoId: 'usdt0',
    imageUrl:
      'https://static.debank.com/image/ink_token/logo_url/0x0200c29006150606b650577bbe7b6248f58470c1/8bba37fddc2774e06a94b8952e3e3ad7.png',
  },
  {
    address: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    pair: 'eth/usd',
    coingeckoId: 'weth',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/logo.png',
  },
  {
    address: '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f',
    name: 'Wrapped BTC',
    symbol: 'WBTC',
    decimals: 8,
    pair: 'wbtc/usd',
    coingeckoId: 'wrapped-bitcoin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599/logo.png',
  },
  {
    address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
    name: 'Dai Stablecoin',
    symbol: 'DAI',
    decimals: 18,
    pair: 'dai/usd',
    coingeckoId: 'dai',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x6B175474E89094C44Da98b954EedeAC495271d0F/logo.png',
  },
  {
    address: '0x912CE59144191C1204E64559FE8253a0e49E6548',
    name: 'Arbitrum',
    symbol: 'ARB',
    decimals: 18,
    pair: 'arb/usd',
    coingeckoId: 'arbitrum',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/arb.svg',
  },
  {
    address: '0x7dfF72693f6A4149b17e7C6314655f6A9F7c8B33',
    name: 'Gho Token',
    symbol: 'GHO',
    decimals: 18,
    pair: 'gho/usd',
    coingeckoId: 'gho',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/gho.svg',
  },
  {
    address: '0x5979D7b546E38E414F7E9822514be443A4800529',
    name: 'Wrapped liquid staked Ether 2.0',
    symbol: 'wstETH',
    decimals: 18,
    coingeckoId: 'wrapped-steth',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/wsteth.svg',
  },
  {
    address: '0xf97f4df75117a78c1A5a0DBb814Af92458539FB4',
    name: 'ChainLink Token',
    symbol: 'LINK',
    decimals: 18,
    pair: 'link/usd',
    coingeckoId: 'chainlink',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/link.svg',
  },
  {
    address: '0xba5DdD1f9d7F570dc94a51479a000E3BCE967196',
    name: 'Aave Token',
    symbol: 'AAVE',
    decimals: 18,
    pair: 'aave/usd',
    coingeckoId: 'aave',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/aave.svg',
  },
];
