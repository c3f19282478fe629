import { removePostgres, stopAnvil } from '@bascule/local-stack';
import { rmSync } from 'node:fs';
import { parseSettings } from './settings.config.js';
import { isRunning } from './stack-file.js';

const { places, chains } = parseSettings(process.env);
if (isRunning(places.stackFile)) {
  process.stderr.write('The stack is running: stop it first.\n');
  process.exit(1);
}

// A killed stack leaves its servers running.
for (const { name } of chains) await stopAnvil({ name, stateFile: places.chainState(name) });
await removePostgres(places.postgresData);
for (const path of [
  places.chainsDirectory,
  places.secretsFile,
  places.organisationFile,
  places.stackFile,
]) {
  rmSync(path, { recursive: true, force: true });
}
process.stdout.write('The stack has forgotten everything.\n');
