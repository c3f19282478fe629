export { visitorOf } from './caller.js';
export type { Caller, CallerKind } from './caller.js';
export {
  AllowCallers,
  CurrentCaller,
  Public,
  RequirePermission,
  RequireSecretKey,
  callerOfRequest,
  rememberCaller,
} from './access.js';
export { CLIENT_IP_HEADER, INTERNAL_TOKEN_HEADER, VISITOR_HEADER } from './internal-token.js';
export { InternalTokenGuard } from './internal-token.guard.js';
export { InternalTokenIssuer } from './internal-token-issuer.js';
export { InternalTokenVerifier } from './internal-token-verifier.js';
export { parsePrivateKey, privateKey } from './private-key.js';
export type { PrivateKey } from './private-key.js';
export { parsePublicKeys, publicKeys } from './public-keys.js';
export type { PublicKeys } from './public-keys.js';
