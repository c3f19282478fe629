import type { Address } from 'viem';

/** Entry of a token in its chain's data file. */
export interface TokenListing {
  address: Address;
  name: string;
  symbol: string;
  decimals: number;
  /** Price feed; ignored where the chain has no such feed. */
  pair?: string;
  coingeckoId?: string;
  /** Alternative name. */
  alias?: string;
  imageUrl?: string;
}
