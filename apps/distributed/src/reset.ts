import {
  removeKafka,
  removePgBouncer,
  removePostgres,
  removeRedis,
  stopAnvil,
} from '@bascule/local-stack';
import { rmSync } from 'node:fs';
import {
  endOrphanedReplica,
  isRunning,
  parseSettings,
  type StackPaths,
} from '@bascule/composition';
import { endOrphanedAttesters } from './attesters.js';
import { composeRemove, dockerRuns } from './docker.js';
import { STOP_WITHIN_MS } from './replica-environment.js';
import { parseDistributedSettings } from './settings.config.js';

const embedded = parseSettings(process.env);
const distributed = parseDistributedSettings(process.env);

if (isRunning(embedded.paths.stackFile)) {
  process.stderr.write('The stack is running. Stop it first.\n');
  process.exit(1);
}

/** A killed stack leaves its servers running. */
async function forgetServers(paths: StackPaths): Promise<void> {
  for (const { name } of embedded.chains) {
    await stopAnvil({ name, stateFile: paths.chainState(name) });
  }
  await removePgBouncer(paths.pooler);
  await removePostgres(paths.postgresData);
  rmSync(paths.chainsDirectory, { recursive: true, force: true });
}

async function forgetDistributed(): Promise<void> {
  const { paths, replicas } = distributed;
  const left = replicas.map(({ service, replica }) => paths.pidFile(service, replica));
  await Promise.all(left.map((pidFile) => endOrphanedReplica(pidFile, STOP_WITHIN_MS)));
  await endOrphanedAttesters(distributed);
  if (await dockerRuns()) await composeRemove(distributed);
  await removeKafka(paths.kafkaDirectory);
  await removeRedis(paths.redisDirectory);
  await forgetServers(paths);
  for (const path of [paths.stateDirectory, paths.logsDirectory]) {
    rmSync(path, { recursive: true, force: true });
  }
}

await forgetServers(embedded.paths);
await forgetDistributed();
const { secretsFile, organisationFile, stackFile } = embedded.paths;
for (const path of [secretsFile, organisationFile, stackFile]) rmSync(path, { force: true });
process.stdout.write('Removed all state of the stack.\n');
