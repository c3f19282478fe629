import { freePort, startAnvil } from '@bascule/local-stack';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownDirectory } from './test-directory.js';

export interface TestChainOptions {
  name?: string;
  chainId?: number;
}

export interface TestChain {
  rpcUrl: string;
  chainId: number;
  stop(): Promise<void>;
}

/** A development chain of the test's own. */
export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  const { name = 'alphanet', chainId = 31337 } = options;
  const directory = ownDirectory();
  const stateFile = join(directory, `${name}.json`);
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
