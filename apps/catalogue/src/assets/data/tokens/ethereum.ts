// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    pair: 'usdt/usd',
    coingeckoId: 'tether',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xdAC17F958D2ee523a2206206994597C13D831ec7/logo.png',
  },
  {
    address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    pair: 'eth/usd',
    coingeckoId: 'weth',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/logo.png',
  },
  {
    address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    name: 'Wrapped BTC',
    symbol: 'WBTC',
    decimals: 8,
    pair: 'btc/usd',
    coingeckoId: 'wrapped-bitcoin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599/logo.png',
  },
  {
    address: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
    name: 'Coinbase Wrapped BTC',
    symbol: 'cbBTC',
    decimals: 8,
    pair: 'cbbtc/usd',
    coingeckoId: 'coinbase-wrapped-btc',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/cbbtc.svg',
  },
  {
    address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    name: 'Dai Stablecoin',
    symbol: 'DAI',
    decimals: 18,
    pair: 'dai/usd',
    coingeckoId: 'dai',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x6B175474E89094C44Da98b954EedeAC495271d0F/logo.png',
  },
  {
    address: '0xdC035D45d973E3EC169d2276DDab16f1e407384F',
    name: 'USDS Stablecoin',
    symbol: 'USDS',
    decimals: 18,
    coingeckoId: 'usds',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/usds.svg',
  },
  {
    address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c',
    name: 'Euro Coin',
    symbol: 'EURC',
    decimals: 6,
    pair: 'eurc/usd',
    coingeckoId: 'euro-coin',
    imageUrl:
      'https://static.debank.com/image/eth_token/logo_url/0x1abaea1f7c830bd89acc67ec4af516284b1bc33c/790d0c3a6da87111b66255c0d57108fa.png',
  },
  {
    address: '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8',
    name: 'PayPal USD',
    symbol: 'PYUSD',
    decimals: 6,
    coingeckoId: 'paypal-usd',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/pyusd.svg',
  },
  {
    address: '0x40D16FC0246aD3160Ccc09B8D0D3A2cD28aE6C2f',
    name: 'Gho Token',
    symbol: 'GHO',
    decimals: 18,
    coingeckoId: 'gho',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/gho.svg',
  },
  {
    address: '0x4c9EDD5852cd905f086C759E8383e09bff1E68B3',
    name: 'USDe',
    symbol: 'USDe',
    decimals: 18,
    coingeckoId: 'ethena-usde',
    imageUrl:
      'https://static.debank.com/image/eth_token/logo_url/0x4c9edd5852cd905f086c759e8383e09bff1e68b3/1228d6e73f70f37ec1f6fe02a3bbe6ff.png',
  },
  {
    address: '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0',
    name: 'Wrapped liquid staked Ether 2.0',
    symbol: 'wstETH',
    decimals: 18,
    coingeckoId: 'wrapped-steth',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/wsteth.svg',
  },
  {
    address: '0x514910771AF9Ca656af840dff83E8264EcF986CA',
    name: 'ChainLink Token',
    symbol: 'LINK',
    decimals: 18,
    pair: 'link/usd',
    coingeckoId: 'chainlink',
    imageUrl:
      'https://storage.googleapis.com/zapper-fi-assets/tokens/ethereum/0x514910771af9ca656af840dff83e8264ecf986ca.png',
  },
  {
    address: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    name: 'Uniswap',
    symbol: 'UNI',
    decimals: 18,
    pair: 'uni/usd',
    coingeckoId: 'uniswap',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/uni.svg',
  },
  {
    address: '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9',
    name: 'Aave Token',
    symbol: 'AAVE',
    decimals: 18,
    pair: 'aave/usd',
    coingeckoId: 'aave',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/aave.svg',
  },
];
