import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import '../source-loader.mjs';

const sources = '../../libs/local-stack/src';
const { commandLine, endProcess, isAlive } = await import(`${sources}/processes.ts`);
const { removeKafka } = await import(`${sources}/kafka/start-kafka.ts`);
const { removeRedis } = await import(`${sources}/redis/start-redis.ts`);
const { removePgBouncer } = await import(`${sources}/pgbouncer/start-pgbouncer.ts`);
const { removePostgres } = await import(`${sources}/postgres/start-postgres.ts`);

const local = join(import.meta.dirname, '../../.local');

/** Folders left by killed runs; their names carry the process id of the run. */
function orphans(directory, pattern) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => {
      const owner = pattern.exec(name)?.[1];
      return owner !== undefined && !isAlive(Number(owner));
    })
    .map((name) => join(directory, name));
}

/** Chains and replicas of services: each process has its folder in its command line and its id in a file there. */
async function endProcesses(directory) {
  if (!existsSync(directory)) return;
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.pid'))) {
    const pid = Number(readFileSync(join(directory, file), 'utf8'));
    if (commandLine(pid).includes(directory)) await endProcess(pid, 2_000);
  }
}

async function endStack(directory) {
  const file = join(directory, 'process.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (/\bbundle\/(?:standalone|distributed)\.js\b/.test(commandLine(pid)))
    await endProcess(pid, 30_000);
}

async function endServers(directory) {
  await endProcesses(join(directory, 'replicas'));
  await endProcesses(join(directory, 'chains'));
  await removeKafka(join(directory, 'kafka'));
  await removeRedis(join(directory, 'redis'));
  await removePgBouncer(join(directory, 'pgbouncer'));
  await removePostgres(join(directory, 'postgres'));
}

/** Ends servers, chains and stacks that killed runs left behind. */
export default async function removeOrphans() {
  for (const dataDir of orphans(join(local, 'test-postgres'), /^(?:run|draft)-(\d+)/)) {
    await removePostgres(dataDir);
  }
  for (const directory of orphans(join(local, 'test-kafka'), /^run-(\d+)/)) {
    await removeKafka(directory);
  }
  for (const directory of orphans(join(local, 'test-redis'), /^run-(\d+)/)) {
    await removeRedis(directory);
  }
  for (const directory of orphans(join(local, 'test-pgbouncer'), /^run-(\d+)/)) {
    await removePgBouncer(directory);
  }
  for (const directory of orphans(join(local, 'test-chains'), /^run-(\d+)/)) {
    await endProcesses(directory);
    rmSync(directory, { recursive: true, force: true });
  }
  for (const directory of orphans(join(local, 'e2e'), /-(\d+)$/)) {
    await endStack(directory);
    await endServers(directory);
    await endServers(join(directory, 'distributed'));
    rmSync(directory, { recursive: true, force: true });
  }
}
