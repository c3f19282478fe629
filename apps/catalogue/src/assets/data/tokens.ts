// From @lifi/data-types and @bgd-labs/aave-address-book, as chosen in tools/token-lists: `npm run tokens` writes it.
import type { TokenListing } from '../token-listing.js';
import { developmentTokens } from './development-tokens.js';
import { tokens as arbitrum } from './tokens/arbitrum.js';
import { tokens as arbitrumsepolia } from './tokens/arbitrumsepolia.js';
import { tokens as avalanche } from './tokens/avalanche.js';
import { tokens as avalanchefuji } from './tokens/avalanchefuji.js';
import { tokens as base } from './tokens/base.js';
import { tokens as basesepolia } from './tokens/basesepolia.js';
import { tokens as bsc } from './tokens/bsc.js';
import { tokens as ethereum } from './tokens/ethereum.js';
import { tokens as optimism } from './tokens/optimism.js';
import { tokens as optimismsepolia } from './tokens/optimismsepolia.js';
import { tokens as polygon } from './tokens/polygon.js';
import { tokens as polygonamoy } from './tokens/polygonamoy.js';
import { tokens as sepolia } from './tokens/sepolia.js';

/** By the chain's name, beside its native currency and the wrapped form of that. */
export const tokensByChain: Readonly<Record<string, readonly TokenListing[]>> = {
  alphanet: developmentTokens,
  betanet: developmentTokens,
  deltanet: developmentTokens,
  arbitrum,
  arbitrumsepolia,
  avalanche,
  avalanchefuji,
  base,
  basesepolia,
  bsc,
  ethereum,
  optimism,
  optimismsepolia,
  polygon,
  polygonamoy,
  sepolia,
};
