// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
    name: 'Bridged USD Coin',
    symbol: 'USDC.e',
    decimals: 6,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/logo.png',
  },
  {
    address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    name: '(PoS) Tether USD',
    symbol: 'USDT',
    decimals: 6,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xdAC17F958D2ee523a2206206994597C13D831ec7/logo.png',
  },
  {
    address: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
    name: 'Wrapped Polygon Ecosystem Token',
    symbol: 'WPOL',
    decimals: 18,
    pair: 'pol/usd',
    imageUrl:
      'https://static.debank.com/image/matic_token/logo_url/0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270/f6e604ba0324726a3d687c618aa4f163.png',
  },
  {
    address: '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/logo.png',
  },
  {
    address: '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6',
    name: '(PoS) Wrapped BTC',
    symbol: 'WBTC',
    decimals: 8,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599/logo.png',
  },
  {
    address: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
    name: '(PoS) Dai Stablecoin',
    symbol: 'DAI',
    decimals: 18,
    imageUrl:
      'https://raw.githubusercontent.com/trustwallet/assets/master/blockchains/ethereum/assets/0x6B175474E89094C44Da98b954EedeAC495271d0F/logo.png',
  },
  {
    address: '0x03b54A6e9a984069379fae1a4fC4dBAE93B3bCCD',
    name: 'Wrapped liquid staked Ether 2.0 (PoS)',
    symbol: 'wstETH',
    decimals: 18,
    coingeckoId: 'wrapped-steth',
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/wsteth.svg',
  },
  {
    address: '0x53E0bca35eC356BD5ddDFebbD1Fc0fD03FaBad39',
    name: 'ChainLink Token',
    symbol: 'LINK',
    decimals: 18,
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/link.svg',
  },
  {
    address: '0xD6DF932A45C0f255f85145f286eA0b292B21C90B',
    name: 'Aave (PoS)',
    symbol: 'AAVE',
    decimals: 18,
    imageUrl: 'https://raw.githubusercontent.com/bgd-labs/web3-icons/main/icons/full/aave.svg',
  },
];
