// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0x55d398326f99059fF775485246999027B3197955',
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xdAC17F958D2ee523a2206206994597C13D831ec7/logo.png',
  },
  {
    address: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    name: 'Wrapped BNB',
    symbol: 'WBNB',
    decimals: 18,
    pair: 'bnb/usd',
    coingeckoId: 'wbnb',
    imageUrl:
      'https://static.debank.com/image/coin/logo_url/bnb/9784283a36f23a58982fc964574ea530.png',
  },
  {
    address: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
    name: 'Ethereum Token',
    symbol: 'ETH',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/logo.png',
  },
  {
    address: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
    name: 'BTCB Token',
    symbol: 'BTCB',
    decimals: 18,
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/btc.svg',
  },
  {
    address: '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3',
    name: 'DAI Stablecoin',
    symbol: 'DAI',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x6B175474E89094C44Da98b954EedeAC495271d0F/logo.png',
  },
  {
    address: '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409',
    name: 'First Digital USD',
    symbol: 'FDUSD',
    decimals: 18,
    pair: 'fdusd/usd',
    coingeckoId: 'first-digital-usd',
    imageUrl:
      'https://static.debank.com/image/eth_token/logo_url/0xc5f0f7b66764f6ec8c8dff7ba683102295e16409/9c61b134f82d8780005895d8fb6b19ab.png',
  },
  {
    address: '0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82',
    name: 'PancakeSwap Token',
    symbol: 'Cake',
    decimals: 18,
    pair: 'cake/usd',
    coingeckoId: 'pancakeswap-token',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/cake.svg',
  },
];
