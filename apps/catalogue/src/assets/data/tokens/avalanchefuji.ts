// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0x5425890298aed601595a70AB815c96711a31Bc65',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
  },
];
