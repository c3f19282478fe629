import {
  deployDevelopmentChain,
  startAnvil,
  startPostgres,
  type LocalChain,
  type LocalPostgres,
} from '@bascule/local-stack';
import type { Progress } from './progress.js';
import type { ChainSettings, Settings } from './settings.config.js';

export interface LocalServers {
  adminUrl: string;
  chains: (ChainSettings & { rpcUrl: string })[];
}

interface Stoppable {
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
    (server) => describe(server, settings.postgres.port),
  );
  const chains = settings.chains.map((chain) =>
    progress.step(
      `chain ${chain.name}`,
      () => startChain(settings, chain, started),
      (server) => describe(server, chain.port),
    ),
  );
  // All of them, so that what starts while another fails is known and stopped too.
  const outcomes = await Promise.allSettled([postgres, ...chains]);
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as Error] : [],
  );
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
  const { adminUrl } = await postgres;
  const rpcUrls = await Promise.all(chains);
  return {
    adminUrl,
    chains: settings.chains.map((chain, index) => ({
      ...chain,
      rpcUrl: rpcUrls[index]?.rpcUrl ?? '',
    })),
  };
}

const describe = ({ adopted }: { adopted: boolean }, port: number) =>
  `${adopted ? 'adopted' : 'started'} on port ${port}`;

async function startDatabase(
  { places, postgres }: Settings,
  password: string,
  started: Stoppable[],
): Promise<LocalPostgres> {
  const server = await startPostgres({ ...postgres, dataDir: places.postgresData, password });
  started.push(server);
  return server;
}

async function startChain(
  { places }: Settings,
  chain: ChainSettings,
  started: Stoppable[],
): Promise<LocalChain> {
  const server = await startAnvil({ ...chain, stateFile: places.chainState(chain.name) });
  started.push(server);
  await deployDevelopmentChain({ rpcUrl: server.rpcUrl, chainId: chain.chainId });
  return server;
}
