import { removeKafka, removePostgres, removeRedis, stopAnvil } from '@bascule/local-stack';
import { rmSync } from 'node:fs';
import {
  endLeftAttesters,
  endLeftReplica,
  isRunning,
  parseSettings,
  type Places,
} from '@bascule/composition';
import { composeRemove, dockerRuns } from './docker.js';
import { STOP_WITHIN_MS } from './replica-environment.js';
import { parseDistributedSettings } from './settings.config.js';

const embedded = parseSettings(process.env);
const distributed = parseDistributedSettings(process.env);

if (isRunning(embedded.places.stackFile)) {
  process.stderr.write('The stack is running: stop it first.\n');
  process.exit(1);
}

/** A killed stack leaves its servers running. */
async function forgetServers(places: Places): Promise<void> {
  await endLeftAttesters({ ...embedded, places });
  for (const { name } of embedded.chains) {
    await stopAnvil({ name, stateFile: places.chainState(name) });
  }
  await removePostgres(places.postgresData);
  rmSync(places.chainsDirectory, { recursive: true, force: true });
  rmSync(places.processesDirectory, { recursive: true, force: true });
}

async function forgetDistributed(): Promise<void> {
  const { places, replicas } = distributed;
  const left = replicas.map(({ service, replica }) => places.pidFile(service, replica));
  await Promise.all(left.map((pidFile) => endLeftReplica(pidFile, STOP_WITHIN_MS)));
  if (await dockerRuns()) await composeRemove(distributed);
  await removeKafka(places.kafkaDirectory);
  await removeRedis(places.redisDirectory);
  await forgetServers(places);
  for (const path of [places.stateDirectory, places.logsDirectory]) {
    rmSync(path, { recursive: true, force: true });
  }
}

await forgetServers(embedded.places);
await forgetDistributed();
const { secretsFile, organisationFile, stackFile } = embedded.places;
for (const path of [secretsFile, organisationFile, stackFile]) rmSync(path, { force: true });
process.stdout.write('The stack has forgotten everything.\n');
