export { SealedTokenError } from './sealed-token-error.js';
export { SealedTokens } from './sealed-tokens.js';
export { sealedTokenEnv, sealingKeys } from './sealing-keys.js';
export type { SealingKey } from './sealing-keys.js';
