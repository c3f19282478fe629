// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../../token-listing.js';

export const tokens: readonly TokenListing[] = [
  {
    address: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    pair: 'usdc/usd',
    coingeckoId: 'usd-coin',
  },
];
