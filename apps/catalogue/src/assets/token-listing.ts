import type { Address } from 'viem';

/** A token as its chain's data file lists it. */
export interface TokenListing {
  address: Address;
  name: string;
  symbol: string;
  decimals: number;
  /** The price feed that it is priced by, where its chain has that feed. */
  pair?: string;
  coingeckoId?: string;
  /** Another name it goes by. */
  alias?: string;
  imageUrl?: string;
}
