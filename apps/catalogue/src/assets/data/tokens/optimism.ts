// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0x7F5c764cBc14f9669B88837ca1490cCa17c31607',
    name: 'Bridged USD Coin',
    symbol: 'USDC.e',
    decimals: 6,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    pair: 'usdt/usd',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xdAC17F958D2ee523a2206206994597C13D831ec7/logo.png',
  },
  {
    address: '0x01bFF41798a0BcF287b996046Ca68b395DbC1071',
    name: 'USD₮0',
    symbol: 'USDT0',
    decimals: 6,
    coingeckoId: 'usdt0',
    imageUrl:
      'https://static.debank.com/image/ink_token/logo_url/0x0200c29006150606b650577bbe7b6248f58470c1/8bba37fddc2774e06a94b8952e3e3ad7.png',
  },
  {
    address: '0x4200000000000000000000000000000000000006',
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    pair: 'eth/usd',
    coingeckoId: 'weth',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/logo.png',
  },
  {
    address: '0x68f180fcCe6836688e9084f035309E29Bf0A2095',
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
    address: '0x4200000000000000000000000000000000000042',
    name: 'Optimism',
    symbol: 'OP',
    decimals: 18,
    pair: 'op/usd',
    coingeckoId: 'optimism',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/op.svg',
  },
  {
    address: '0x1F32b1c2345538c0c6f582fCB022739c4A194Ebb',
    name: 'Wrapped liquid staked Ether 2.0',
    symbol: 'wstETH',
    decimals: 18,
    coingeckoId: 'wrapped-steth',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/wsteth.svg',
  },
  {
    address: '0x350a791Bfc2C21F9Ed5d10980Dad2e2638ffa7f6',
    name: 'ChainLink Token',
    symbol: 'LINK',
    decimals: 18,
    pair: 'link/usd',
    coingeckoId: 'chainlink',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/link.svg',
  },
  {
    address: '0x76FB31fb4af56892A25e32cFC43De717950c9278',
    name: 'Aave Token',
    symbol: 'AAVE',
    decimals: 18,
    pair: 'aave/usd',
    coingeckoId: 'aave',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/aave.svg',
  },
];
