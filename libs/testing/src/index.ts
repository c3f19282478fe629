export {
  startCapturingServer,
  type CannedResponse,
  type CapturedRequest,
  type CapturingServer,
  type Responder,
} from './capturing-server.js';
export { eventually, type EventuallyOptions } from './eventually.js';
export { createTestDatabase, runSql, type TestDatabase } from './test-database.js';
