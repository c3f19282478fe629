import type { ChainDefinition } from '../chain-definition.js';
import { alphanet } from './alphanet.js';
import { betanet } from './betanet.js';

/** Every chain there is, by name. A new chain is a new file here and one line. */
export const chainDefinitions: Readonly<Record<string, ChainDefinition>> = { alphanet, betanet };
