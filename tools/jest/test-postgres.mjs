import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import '../source-loader.mjs';

// Imported past the package's index, which would load the chains' contracts.
const sources = '../../libs/local-stack/src';
const { freePort } = await import(`${sources}/ports.ts`);
const { clusterAt, copyCluster, initialise } = await import(`${sources}/postgres/cluster.ts`);
const { removePostgres, startPostgres } = await import(`${sources}/postgres/start-postgres.ts`);

const directory = join(import.meta.dirname, '../../.local/test-postgres');
const template = join(directory, 'template-18.4');
const PASSWORD = 'postgres';

/** Starts a server of this run, so that concurrent runs do not interfere. */
export async function startTestPostgres() {
  mkdirSync(directory, { recursive: true });
  await makeTemplate();
  const dataDir = join(directory, `run-${process.pid}`);
  await copyCluster(clusterAt(template), clusterAt(dataDir));
  const server = await startPostgres({
    dataDir,
    port: await freePort(),
    password: PASSWORD,
    durable: false,
    maxConnections: 400,
  });
  return { adminUrl: server.adminUrl, stop: () => removePostgres(dataDir) };
}

async function makeTemplate() {
  if (existsSync(clusterAt(template).dataDir)) return;
  const draft = join(directory, `draft-${process.pid}`);
  await initialise(clusterAt(draft), PASSWORD);
  try {
    renameSync(clusterAt(draft).dataDir, clusterAt(template).dataDir);
  } catch {
    // Another run was faster.
    await removePostgres(draft);
  }
}
