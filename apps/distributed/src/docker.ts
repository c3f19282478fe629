import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@bascule/composition';
import type { DistributedSettings } from './settings.config.js';

const run = promisify(execFile);
const composeFile = join(repository, 'docker/compose.yaml');
const DECIDE_MS = 5_000;

/** Whether containers can be started: a daemon answers, and `docker compose` is installed. */
export async function dockerRuns(): Promise<boolean> {
  try {
    const options = { timeout: DECIDE_MS, env: process.env };
    await run('docker', ['info'], options);
    await run('docker', ['compose', 'version'], options);
    return true;
  } catch {
    return false;
  }
}

/** Returns when every server is healthy. */
export const composeUp = (settings: DistributedSettings, password: string): Promise<void> =>
  compose(settings, ['up', '--detach', '--wait'], password);

/** Removes the containers; their data stays in volumes. */
export const composeDown = (settings: DistributedSettings): Promise<void> =>
  compose(settings, ['down', '--timeout', '8']);

export const composeRemove = (settings: DistributedSettings): Promise<void> =>
  compose(settings, ['down', '--timeout', '8', '--volumes']);

async function compose(
  settings: DistributedSettings,
  args: string[],
  password = 'unused',
): Promise<void> {
  const { paths, postgres, kafka, redis } = settings;
  // Stacks in other directories have containers and volumes of their own.
  const digest = createHash('sha256').update(paths.stateDirectory).digest('hex').slice(0, 8);
  const project = ['--project-name', `bascule-${digest}`, '--file', composeFile];
  await run('docker', ['compose', ...project, ...args], {
    env: {
      ...process.env,
      POSTGRES_PORT: String(postgres.port),
      POSTGRES_PASSWORD: password,
      KAFKA_PORT: String(kafka.port),
      REDIS_PORT: String(redis.port),
    },
  });
}
