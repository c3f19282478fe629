export { CircuitBreaker } from './circuit-breaker.js';
export { GuardedClient } from './guarded-client.js';
export {
  boundedAgent,
  JsonClient,
  type RequestHeaders,
  type JsonResponse,
  type TextResponse,
} from './json-client.js';
export { PeerError, unexpectedStatus } from './peer-error.js';
