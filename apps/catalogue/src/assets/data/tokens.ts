import type { TokenListing } from '../token-listing.js';
import { developmentTokens } from './development-tokens.js';

/** The tokens of each chain, by its name; the native currency comes from the chain's definition. */
export const tokensByChain: Readonly<Record<string, readonly TokenListing[]>> = {
  alphanet: developmentTokens,
  betanet: developmentTokens,
};
