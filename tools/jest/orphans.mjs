import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import '../source-loader.mjs';

const sources = '../../libs/local-stack/src';
const { commandLine, endProcess, isAlive } = await import(`${sources}/processes.ts`);
const { removePostgres } = await import(`${sources}/postgres/start-postgres.ts`);

const local = join(import.meta.dirname, '../../.local');

/** Folders that runs, since killed, have left: their names carry the process id of the run. */
function orphans(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => {
      const owner = /^(?:run|draft)-(\d+)/.exec(name)?.[1];
      return owner !== undefined && !isAlive(Number(owner));
    })
    .map((name) => join(directory, name));
}

/** A killed run leaves its servers and chains behind. */
export async function removeOrphans() {
  for (const dataDir of orphans(join(local, 'test-postgres'))) await removePostgres(dataDir);
  for (const directory of orphans(join(local, 'test-chains'))) {
    const pidFiles = readdirSync(directory).filter((name) => name.endsWith('.pid'));
    for (const file of pidFiles) {
      const pid = Number(readFileSync(join(directory, file), 'utf8'));
      if (commandLine(pid).includes(directory)) await endProcess(pid, 2_000);
    }
    rmSync(directory, { recursive: true, force: true });
  }
}
