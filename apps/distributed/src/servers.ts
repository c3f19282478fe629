import { startKafka, startRedis } from '@bascule/local-stack';
import {
  allStarted,
  describeStart,
  type LocalServers,
  type Progress,
  startChains,
  startLocalServers,
  type Stoppable,
} from '@bascule/composition';
import { composeDown, composeUp, dockerRuns } from './docker.js';
import type { DistributedSettings } from './settings.config.js';

export interface Servers extends LocalServers {
  brokers: string[];
  redisUrl: string;
}

/**
 * Postgres, Kafka, Redis and the chains: in containers where Docker runs, else on this machine, each adopted when an
 * earlier start left it running. What has started is added to `started` even when another fails.
 */
export async function startServers(
  settings: DistributedSettings,
  password: string,
  progress: Progress,
  started: Stoppable[],
): Promise<Servers> {
  return (await dockerRuns())
    ? startInContainers(settings, password, progress, started)
    : startOnThisMachine(settings, password, progress, started);
}

async function startInContainers(
  settings: DistributedSettings,
  password: string,
  progress: Progress,
  started: Stoppable[],
): Promise<Servers> {
  // Registered before they are up, so that a failed start stops them too.
  started.push({ stop: () => composeDown(settings) });
  const containers = progress.step('containers', () => composeUp(settings, password));
  const chains = startChains(settings, progress, started);
  await allStarted([containers, chains]);
  const { postgres, kafka, redis } = settings;
  return {
    adminUrl: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/postgres`,
    chains: await chains,
    brokers: [`127.0.0.1:${kafka.port}`],
    redisUrl: `redis://127.0.0.1:${redis.port}`,
  };
}

async function startOnThisMachine(
  settings: DistributedSettings,
  password: string,
  progress: Progress,
  started: Stoppable[],
): Promise<Servers> {
  const { paths, kafka, redis } = settings;
  const start = <T extends Stoppable & { adopted: boolean }>(
    label: string,
    port: number,
    work: () => Promise<T>,
  ) =>
    progress.step(
      label,
      async () => {
        const server = await work();
        started.push(server);
        return server;
      },
      (server) => describeStart(server, port),
    );
  const common = startLocalServers(settings, password, progress, started);
  const broker = start('Kafka', kafka.port, () =>
    startKafka({ ...kafka, directory: paths.kafkaDirectory }),
  );
  const counters = start('Redis', redis.port, () =>
    startRedis({ ...redis, directory: paths.redisDirectory }),
  );
  await allStarted([common, broker, counters]);
  return {
    ...(await common),
    brokers: (await broker).brokers,
    redisUrl: (await counters).url,
  };
}
