// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
    name: 'TetherToken',
    symbol: 'USDt',
    decimals: 6,
    alias: 'USDT',
    pair: 'usdt/usd',
    coingeckoId: 'tether',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/usdt.svg',
  },
  {
    address: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    name: 'Wrapped AVAX',
    symbol: 'WAVAX',
    decimals: 18,
    pair: 'avax/usd',
    coingeckoId: 'wrapped-avax',
    imageUrl:
      'https://static.debank.com/image/avax_token/logo_url/0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7/753d82f0137617110f8dec56309b4065.png',
  },
  {
    address: '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB',
    name: 'Wrapped Ether',
    symbol: 'WETH.e',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/logo.png',
  },
  {
    address: '0x50b7545627a5162F82A992c33b87aDc75187B218',
    name: 'Wrapped BTC',
    symbol: 'WBTC.e',
    decimals: 8,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599/logo.png',
  },
  {
    address: '0x152b9d0FdC40C096757F570A51E494bd4b943E50',
    name: 'Bitcoin',
    symbol: 'BTC.b',
    decimals: 8,
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/btc.svg',
  },
  {
    address: '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70',
    name: 'Dai Stablecoin',
    symbol: 'DAI.e',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x6B175474E89094C44Da98b954EedeAC495271d0F/logo.png',
  },
  {
    address: '0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD',
    name: 'Euro Coin',
    symbol: 'EURC',
    decimals: 6,
    pair: 'eurc/usd',
    coingeckoId: 'euro-coin',
    imageUrl:
      'https://static.debank.com/image/eth_token/logo_url/0x1abaea1f7c830bd89acc67ec4af516284b1bc33c/790d0c3a6da87111b66255c0d57108fa.png',
  },
  {
    address: '0x5947BB275c521040051D82396192181b413227A3',
    name: 'Chainlink Token',
    symbol: 'LINK.e',
    decimals: 18,
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/link.svg',
  },
  {
    address: '0x63a72806098Bd3D9520cC43356dD78afe5D386D9',
    name: 'Aave Token',
    symbol: 'AAVE.e',
    decimals: 18,
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/aave.svg',
  },
];
