import removeOrphans from './orphans.mjs';
import { startTestPostgres } from './test-postgres.mjs';

export default async function startPostgres() {
  await removeOrphans();
  const server = await startTestPostgres();
  process.env.TEST_POSTGRES_URL = server.adminUrl;
  globalThis.testPostgres = server;
}
