export { httpEnv, serverEnv } from './service/http-config.js';
export type { HttpConfig } from './service/http-config.js';
export type {
  RunningService,
  ServiceDefinition,
  ShutdownOptions,
} from './service/service-definition.js';
export { startService } from './service/start-service.js';
export { runMigrations, runService } from './service/run-service.js';

export type { Caller, CallerKind } from './identity/caller.js';
export {
  AllowCallers,
  CurrentCaller,
  Public,
  RequirePermission,
  RequireSecretKey,
  callerOfRequest,
  rememberCaller,
} from './identity/access.js';
export { CLIENT_IP_HEADER, INTERNAL_TOKEN_HEADER } from './identity/internal-token.js';
export { InternalTokenIssuer } from './identity/internal-token-issuer.js';
export { InternalTokenVerifier } from './identity/internal-token-verifier.js';
export { parsePrivateKey, privateKey } from './identity/private-key.js';
export type { PrivateKey } from './identity/private-key.js';
export { parsePublicKeys } from './identity/public-keys.js';
export type { PublicKey, PublicKeys } from './identity/public-keys.js';

export { RAW_BODY, RawBody } from './server/body-parser.js';
export { REQUEST_ID_HEADER } from './server/request-id.js';
export { failureOfStatus } from './errors/http-failure.js';
export type { HttpFailure } from './errors/http-failure.js';

export {
  IsAsset,
  IsDecimalAmount,
  IsEvmAddress,
  IsFiatCode,
  IsHexBytes,
  IsNested,
  IsNestedArray,
  IsProviderName,
  IsQueryBoolean,
  IsTokenIdentifier,
  IsUuid,
} from './validation/decorators.js';
export { RequestValidationPipe } from './validation/request-validation.pipe.js';

export { AnswerCache } from './caching/answer-cache.js';
export type { CacheableAnswer } from './caching/answer-cache.js';
export { isKnown } from './caching/entity-tag.js';
export { NO_STORE, ORGANISATION_ANSWER, PUBLIC_ANSWER } from './caching/cache-control.js';

export { ProjectionWaits, timeOfUuidV7 } from './projections/projection-waits.js';
