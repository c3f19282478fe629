export { httpEnv, serverEnv } from './service/http-config.js';
export type { HttpConfig } from './service/http-config.js';
export type { RunningService, ServiceDefinition } from './service/service-definition.js';
export { startService } from './service/start-service.js';
export { runMigrations, runService } from './service/run-service.js';

export { bodyHashOf, IDEMPOTENCY_KEY_HEADER } from './server/body-hash.js';
export { RAW_BODY, RawBody } from './server/body-parser.js';
export { REQUEST_ID_HEADER } from './server/request-id.js';
export { failureOfStatus } from './errors/http-failure.js';

export { AnswerCache } from './caching/answer-cache.js';
export type { CacheableAnswer } from './caching/answer-cache.js';
export { isKnown } from './caching/entity-tag.js';
export { NO_STORE, ORGANISATION_ANSWER, PUBLIC_ANSWER } from './caching/cache-control.js';

export {
  addressBlocksOfRequest,
  clientIpOfRequest,
  visitorBlockOfRequest,
} from './clients/client-address.js';
export type { AddressBlock } from './clients/client-address.js';

export { QuotaRefusals } from './quotas/quota-refusals.js';
export type { UsedShare } from './quotas/quota-refusals.js';
export { ConcurrencyBound } from './quotas/concurrency-bound.js';
export { ConcurrentPlaces } from './quotas/concurrent-places.js';
export type { HolderLimit } from './quotas/concurrent-places.js';
export { ProjectionWaits } from './projections/projection-waits.js';
