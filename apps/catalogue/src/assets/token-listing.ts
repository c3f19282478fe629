import type { Address } from 'viem';

/** A token as its chain's data file lists it. */
export interface TokenListing {
  address: Address;
  name: string;
  symbol: string;
  decimals: number;
  /** The price feed of the chain's definition that it is priced by; without one it has no price. */
  pair?: string;
  coingeckoId?: string;
  /** It is the wrapped form of the chain's native currency. */
  wrapsNative?: boolean;
}
