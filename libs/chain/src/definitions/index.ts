import type { ChainDefinition } from './chain-definition.js';
import { alphanet } from './alphanet.js';
import { arbitrum } from './arbitrum.js';
import { arbitrumsepolia } from './arbitrumsepolia.js';
import { avalanche } from './avalanche.js';
import { avalanchefuji } from './avalanchefuji.js';
import { base } from './base.js';
import { basesepolia } from './basesepolia.js';
import { betanet } from './betanet.js';
import { deltanet } from './deltanet.js';
import { bsc } from './bsc.js';
import { bsctestnet } from './bsctestnet.js';
import { ethereum } from './ethereum.js';
import { optimism } from './optimism.js';
import { optimismsepolia } from './optimismsepolia.js';
import { polygon } from './polygon.js';
import { polygonamoy } from './polygonamoy.js';
import { sepolia } from './sepolia.js';

/** Development chains that are used where a deployment configures no chains. */
export const defaultChains: readonly ChainDefinition[] = [alphanet, betanet];

/** Development chains; tests of payments over two bridges use all of them. */
export const developmentChains: readonly ChainDefinition[] = [...defaultChains, deltanet];

/** Whether a chain is for development, where it may be reset: its blocks then start again. */
export const isDevelopmentChain = ({ name }: Pick<ChainDefinition, 'name'>): boolean =>
  developmentChains.some((chain) => chain.name === name);

/** Public chains, used where configured. A new chain is a file and a line here. */
const publicChains: readonly ChainDefinition[] = [
  ethereum,
  base,
  arbitrum,
  optimism,
  polygon,
  avalanche,
  bsc,
  sepolia,
  basesepolia,
  arbitrumsepolia,
  optimismsepolia,
  polygonamoy,
  avalanchefuji,
  bsctestnet,
];

/** All chains by name. */
export const chainDefinitions: Readonly<Record<string, ChainDefinition>> = Object.fromEntries(
  [...developmentChains, ...publicChains].map((chain) => [chain.name, chain]),
);
