import {
  contractAddresses,
  contractDeployments,
  developmentAddresses,
  developmentDeployments,
  multicall3Code,
  oneTimeWalletImplementationCodeHash,
} from '@bascule/solidity';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Address, concat, type Hex, keccak256 } from 'viem';
import { deployer } from './development-accounts.js';
import { type DevelopmentClient, sendAll } from './development-client.js';

const require = createRequire(import.meta.url);
const SALT = `0x${'0'.repeat(64)}` as const;

const deployments = [...contractDeployments, ...developmentDeployments];
type Deployment = (typeof deployments)[number];

/** Contracts that must exist in the end, from any deployer; `codeHash` is null where the code contains the chain id. */
const expectedCode: readonly { name: string; address: Address; codeHash: Hex | null }[] = [
  ...deployments,
  {
    name: 'multicall3',
    address: developmentAddresses.multicall3,
    codeHash: keccak256(multicall3Code),
  },
  {
    name: 'oneTimeWalletImplementation',
    address: contractAddresses.oneTimeWalletImplementation,
    codeHash: oneTimeWalletImplementationCodeHash,
  },
];

/**
 * Deploys missing contracts and returns their names.
 * @throws Error when one of the addresses has other code.
 */
export async function deployContracts(client: DevelopmentClient): Promise<string[]> {
  const missing = await missingCode(client);
  if (missing.size === 0) return [];

  if (missing.has('multicall3')) {
    await client.setCode({ address: developmentAddresses.multicall3, bytecode: multicall3Code });
  }
  const toDeploy = deployments.filter(({ name }) => missing.has(name));
  await sendAll(
    client,
    toDeploy.map((deployment) => ({
      what: `deployment of ${deployment.name}`,
      from: deployer,
      to: developmentAddresses.create2Deployer,
      data: concat([SALT, initCode(deployment)]),
    })),
  );

  const [stillMissing] = await missingCode(client);
  if (stillMissing) throw new Error(`development chain: ${stillMissing} could not be deployed`);
  return [...missing];
}

async function missingCode(client: DevelopmentClient): Promise<Set<string>> {
  const missing = new Set<string>();
  await Promise.all(
    expectedCode.map(async ({ name, address, codeHash }) => {
      const code = await client.getCode({ address });
      if (!code) missing.add(name);
      else if (codeHash !== null && keccak256(code) !== codeHash) {
        throw new Error(`development chain: other code than that of ${name} at ${address}`);
      }
    }),
  );
  return missing;
}

function initCode(deployment: Deployment): Hex {
  if ('initCode' in deployment) return deployment.initCode;
  const artifact = JSON.parse(readFileSync(require.resolve(deployment.artifact), 'utf8')) as {
    /** As Hardhat writes it, or as Foundry does. */
    bytecode: string | { object: string };
  };
  const { bytecode } = artifact;
  const code = typeof bytecode === 'string' ? bytecode : bytecode.object;
  return concat([`0x${code.replace(/^0x/, '')}`, deployment.constructorArguments]);
}
