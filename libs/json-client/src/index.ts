export { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.js';
export {
  boundedAgent,
  JsonClient,
  type Bounds,
  type JsonClientOptions,
  type JsonResponse,
  type TextResponse,
} from './json-client.js';
export { PeerError, unexpectedStatus, type PeerErrorReason } from './peer-error.js';
