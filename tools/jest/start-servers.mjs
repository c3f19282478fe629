import { join } from 'node:path';
import removeOrphans from './orphans.mjs';
import { startTestPostgres } from './test-postgres.mjs';

const kafka = join(import.meta.dirname, '../../.local/test-kafka');

export default async function startServers() {
  await removeOrphans();
  const server = await startTestPostgres();
  process.env.TEST_POSTGRES_URL = server.adminUrl;
  globalThis.testPostgres = server;
  // The broker is started by `testKafka()`, when a test asks for it.
  process.env.TEST_KAFKA_DIRECTORY = join(kafka, `run-${process.pid}`);
}
