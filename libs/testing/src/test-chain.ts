import { deployDevelopmentChain, freePort, startAnvil } from '@bascule/local-stack';
import { contractDeployments, developmentDeployments } from '@bascule/solidity';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, ownDirectory } from './test-directory.js';

export interface TestChainOptions {
  name?: string;
  chainId?: number;
}

export interface TestChain {
  rpcUrl: string;
  chainId: number;
  stop(): Promise<void>;
}

/** A development chain of the test's own, with everything on it that the embedded stack has. */
export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  const { name = 'alphanet', chainId = 31337 } = options;
  const directory = ownDirectory('test-chains');
  const stateFile = join(directory, `${name}.json`);
  copyFileSync(await deployedState(chainId), stateFile);
  const anvil = await startAnvil({ name, chainId, port: await freePort(), stateFile });
  return {
    rpcUrl: anvil.rpcUrl,
    chainId,
    stop: async () => {
      await anvil.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The state of a chain after the deployment; made once for these contracts. */
async function deployedState(chainId: number): Promise<string> {
  const contracts = createHash('sha256')
    .update(JSON.stringify([contractDeployments, developmentDeployments]))
    .digest('hex')
    .slice(0, 16);
  const cached = join(cacheDirectory('test-chains'), `deployed-${contracts}-${chainId}.json`);
  if (existsSync(cached)) return cached;

  const directory = ownDirectory('test-chains');
  const stateFile = join(directory, 'deployment.json');
  const anvil = await startAnvil({
    name: 'deployment',
    chainId,
    port: await freePort(),
    stateFile,
  });
  try {
    await deployDevelopmentChain({ rpcUrl: anvil.rpcUrl, chainId });
  } finally {
    await anvil.stop();
  }
  renameSync(stateFile, cached);
  rmSync(directory, { recursive: true, force: true });
  return cached;
}
