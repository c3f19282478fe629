// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    pair: 'usdt/usd',
    coingeckoId: 'tether',
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
    address: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
    name: 'Coinbase Wrapped BTC',
    symbol: 'cbBTC',
    decimals: 8,
    pair: 'cbbtc/usd',
    coingeckoId: 'coinbase-wrapped-btc',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/cbbtc.svg',
  },
  {
    address: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
    name: 'DAI Stablecoin',
    symbol: 'DAI',
    decimals: 18,
    pair: 'dai/usd',
    coingeckoId: 'dai',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x6B175474E89094C44Da98b954EedeAC495271d0F/logo.png',
  },
  {
    address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
    name: 'EURC',
    symbol: 'EURC',
    decimals: 6,
    pair: 'eurc/usd',
    coingeckoId: 'euro-coin',
    imageUrl:
      'https://static.debank.com/image/eth_token/logo_url/0x1abaea1f7c830bd89acc67ec4af516284b1bc33c/790d0c3a6da87111b66255c0d57108fa.png',
  },
  {
    address: '0x6Bb7a212910682DCFdbd5BCBb3e28FB4E8da10Ee',
    name: 'Gho Token',
    symbol: 'GHO',
    decimals: 18,
    pair: 'gho/usd',
    coingeckoId: 'gho',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/gho.svg',
  },
  {
    address: '0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452',
    name: 'Wrapped liquid staked Ether 2.0',
    symbol: 'wstETH',
    decimals: 18,
    coingeckoId: 'wrapped-steth',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/wsteth.svg',
  },
  {
    address: '0x63706e401c06ac8513145b7687A14804d17f814b',
    name: 'Aave Token',
    symbol: 'AAVE',
    decimals: 18,
    pair: 'aave/usd',
    coingeckoId: 'aave',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/aave.svg',
  },
];
