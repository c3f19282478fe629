export { SealedTokenError } from './sealed-token-error.js';
export type { SealedTokenErrorCode } from './sealed-token-error.js';
export { MAX_TOKEN_LENGTH, SealedTokens } from './sealed-tokens.js';
export type { SealedTokenType } from './sealed-tokens.js';
export { parseSealingKeys, sealedTokenEnv, sealingKeys } from './sealing-keys.js';
export type { SealingKey } from './sealing-keys.js';
