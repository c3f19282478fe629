import { deployContracts } from './deploy-contracts.js';
import { developmentClient } from './development-client.js';
import { fundPools } from './fund-pools.js';

export interface DevelopmentChain {
  rpcUrl: string;
  chainId: number;
}

/**
 * Ensures that all `developmentAddresses` exist: deploys missing contracts and fills empty pools. May
 * be repeated, and continued when it was interrupted.
 * @throws Error when the chain id differs, or one of the addresses has other code.
 */
export async function deployDevelopmentChain(
  { rpcUrl, chainId }: DevelopmentChain,
  log: (message: string) => void = () => undefined,
): Promise<void> {
  const client = developmentClient(rpcUrl);
  const found = await client.getChainId();
  if (found !== chainId) throw new Error(`${rpcUrl} is chain ${found}, not ${chainId}`);

  const deployed = await deployContracts(client);
  if (deployed.length > 0) log(`deployed ${deployed.length} contracts on chain ${chainId}`);
  const funded = await fundPools(client);
  if (funded.length > 0) log(`funded pools and holders on chain ${chainId}`);
}
