import { startPgBouncer } from '@bascule/local-stack';
import { SERVICE_NAMES, type Settings } from '../settings/settings.config.js';
import type { Progress } from '../terminal/progress.js';
import { roleOf } from './databases.js';
import type { Stoppable } from './local-servers.js';

/** Sessions of each role: fewer than its clients, so that transactions share them as in a deployment. */
const SESSIONS = 2;

/** Starts a PgBouncer in transaction mode before Postgres, where its port is set. */
export async function startPooler(
  { poolerPort, postgres, paths }: Settings,
  rolePassword: string,
  progress: Progress,
  started: Stoppable[],
): Promise<void> {
  if (poolerPort === undefined) return;
  const users = Object.fromEntries(SERVICE_NAMES.map((name) => [roleOf(name), rolePassword]));
  await progress.step(
    'PgBouncer',
    async () => {
      started.push(
        await startPgBouncer({
          directory: paths.pooler,
          port: poolerPort,
          postgresPort: postgres.port,
          users,
          poolSize: SESSIONS,
        }),
      );
    },
    () => `started on port ${poolerPort}`,
  );
}
