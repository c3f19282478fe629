import { rmSync } from 'node:fs';
import { join } from 'node:path';
import removeOrphans from './orphans.mjs';
import { startTestPostgres } from './test-postgres.mjs';

const local = join(import.meta.dirname, '../../.local');
const kafka = join(local, 'test-kafka');

export default async function startServers() {
  await removeOrphans();
  // Events that this run's tests publish; `events-seen` reads them.
  rmSync(join(local, 'test-events'), { recursive: true, force: true });
  const server = await startTestPostgres();
  process.env.TEST_POSTGRES_URL = server.adminUrl;
  globalThis.testPostgres = server;
  // The broker is started by `testKafka()`, when a test asks for it.
  process.env.TEST_KAFKA_DIRECTORY = join(kafka, `run-${process.pid}`);
}
