import {
  deployDevelopmentChain,
  startAnvil,
  startPostgres,
  type LocalChain,
  type LocalPostgres,
} from '@bascule/local-stack';
import type { Progress } from '../terminal/progress.js';
import type { ChainSettings, Settings } from '../settings/settings.config.js';

export interface LocalServers {
  adminUrl: string;
  chains: (ChainSettings & { rpcUrl: string })[];
}

export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Database and chains, each adopted when an earlier start left it running. What has started is added to `started` even
 * when another fails.
 */
export async function startLocalServers(
  settings: Settings,
  password: string,
  progress: Progress,
  started: Stoppable[],
): Promise<LocalServers> {
  const postgres = progress.step(
    'Postgres',
    () => startDatabase(settings, password, started),
    (server) => describeStart(server, settings.postgres.port),
  );
  const chains = startChains(settings, progress, started);
  await allStarted([postgres, chains]);
  return { adminUrl: (await postgres).adminUrl, chains: await chains };
}

export async function startChains(
  settings: Settings,
  progress: Progress,
  started: Stoppable[],
): Promise<LocalServers['chains']> {
  const starts = settings.chains.map(async (chain) => {
    const { rpcUrl } = await progress.step(
      `chain ${chain.name}`,
      () => startChain(settings, chain, started),
      (server) => describeStart(server, chain.port),
    );
    return { ...chain, rpcUrl };
  });
  await allStarted(starts);
  return Promise.all(starts);
}

/** Waits for all of them, so that what starts while another fails is known and stopped too. */
export async function allStarted(starts: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(starts);
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Error] : [],
  );
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
}

export const describeStart = ({ adopted }: { adopted: boolean }, port: number) =>
  `${adopted ? 'adopted' : 'started'} on port ${port}`;

async function startDatabase(
  { paths, postgres }: Settings,
  password: string,
  started: Stoppable[],
): Promise<LocalPostgres> {
  const server = await startPostgres({ ...postgres, dataDir: paths.postgresData, password });
  started.push(server);
  return server;
}

async function startChain(
  { paths }: Settings,
  chain: ChainSettings,
  started: Stoppable[],
): Promise<LocalChain> {
  const server = await startAnvil({ ...chain, stateFile: paths.chainState(chain.name) });
  started.push(server);
  await deployDevelopmentChain({ rpcUrl: server.rpcUrl, chainId: chain.chainId });
  return server;
}
