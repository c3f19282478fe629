import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contractAddresses } from '@bascule/solidity';
import { deploySafe } from '@bascule/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type LocalChain, startAnvil } from '../anvil/start-anvil.js';
import { freePort } from '../ports.js';
import { developmentAccounts } from './development-accounts.js';
import { developmentClient } from './development-client.js';

const folder = dirname(createRequire(import.meta.url).resolve('@bascule/solidity/package.json'));
const script = join(folder, 'scripts/deploy.mjs');
const sourceLoader = join(folder, '../../tools/source-loader.mjs');
const [someone, deployer, operator, , , , messenger, , first, second, third] = developmentAccounts;
const CHAIN_IDS = [31_981, 31_982] as const;
const token = someone.address;
/** A multisig, at the same address on every chain. */
const OWNER = '0x00000000000000000000000000000000000ac1e5';
const SETTINGS = {
  executor: { owner: OWNER, operators: [operator.address] },
  attesterOracle: {
    attesters: [first.address, second.address, third.address],
    threshold: 2,
  },
  intentEscrow: {
    fillWindowSeconds: 120,
    settleWindowSeconds: 1800,
    tokens: CHAIN_IDS.map((chainId) => ({ chainId, token, orderCap: '1', outstandingCap: '2' })),
  },
  cctpAdapter: {
    messenger: messenger.address,
    minFinalityThreshold: 2000,
    chains: CHAIN_IDS.map((chainId, domain) => ({ chainId, domain, token })),
  },
};

const directory = mkdtempSync(join(tmpdir(), 'bascule-deploy-script-'));
const settings = join(directory, 'settings.json');
let chains: LocalChain[] = [];

beforeAll(async () => {
  chains = await Promise.all(
    CHAIN_IDS.map(async (chainId) =>
      startAnvil({
        name: String(chainId),
        chainId,
        port: await freePort(),
        stateFile: join(directory, `${chainId}.json`),
      }),
    ),
  );
  const owners = [first.address, second.address, third.address];
  for (const { rpcUrl } of chains) {
    const client = developmentClient(rpcUrl);
    const safe = await deploySafe(rpcUrl, owners, 2);
    const bytecode = await client.getCode({ address: safe.address });
    await client.setCode({ address: OWNER, bytecode: bytecode ?? '0x' });
  }
});

afterAll(async () => {
  await Promise.all(chains.map((chain) => chain.stop()));
  rmSync(directory, { recursive: true, force: true });
});

describe('the deployment script', () => {
  it('deploys the contracts at the same addresses on every chain, once', async () => {
    const [here = '', there = ''] = chains.map(({ rpcUrl }) => rpcUrl);
    const deployed = await deploy(here);
    expect(deployed).toContain(`oneTimeWalletFactory ${contractAddresses.oneTimeWalletFactory}`);
    expect(names(deployed)).toEqual([
      'converter',
      'actionRunnerFactory',
      'oneTimeWalletFactory',
      'oneTimeWalletImplementation',
      'executor',
      'attesterOracle',
      'intentEscrow',
      'cctpAdapter',
    ]);
    expect(await deploy(there)).toBe(deployed);
    expect(await deploy(here, '--check')).toBe(deployed.replaceAll('deployed', 'there'));
  });

  it.each([
    ['the deployer', deployer.address, /is the deployer's key: name a multisig/],
    ['a key', operator.address, /has no contract on this chain/],
  ])('refuses an executor that would belong to %s', async (_, owner, problem) => {
    const [{ rpcUrl } = { rpcUrl: '' }] = chains;
    const client = developmentClient(rpcUrl);
    const before = await client.getTransactionCount({ address: deployer.address });
    await expect(
      deployAs({ ...SETTINGS, executor: { owner, operators: [] } }, rpcUrl),
    ).rejects.toThrow(problem);
    expect(await client.getTransactionCount({ address: deployer.address })).toBe(before);
  });

  it('refuses a key that delegates to a contract as the owner', async () => {
    const [{ rpcUrl } = { rpcUrl: '' }] = chains;
    await developmentClient(rpcUrl).setCode({
      address: someone.address,
      bytecode: `0xef0100${OWNER.slice(2)}`,
    });
    const executor = { owner: someone.address, operators: [] };
    await expect(deployAs({ executor }, rpcUrl)).rejects.toThrow(/has no contract on this chain/);
  });

  it('refuses other code at one of the addresses', async () => {
    const [{ rpcUrl } = { rpcUrl: '' }] = chains;
    await developmentClient(rpcUrl).setCode({
      address: contractAddresses.converter,
      bytecode: '0x00',
    });
    await expect(deploy(rpcUrl, '--check')).rejects.toThrow(/differs from the build's converter/);
  });
});

const names = (output: string) => output.split('\n').map((line) => line.split(' ', 1)[0]);

async function deployAs(other: object, rpcUrl: string, ...more: string[]): Promise<string> {
  writeFileSync(settings, JSON.stringify(other));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', sourceLoader, script, '--rpc-url', rpcUrl, '--settings', settings, ...more],
    { env: { ...process.env, DEPLOYER_PRIVATE_KEY: deployer.privateKey } },
  );
  return stdout.trim();
}

const deploy = (rpcUrl: string, ...more: string[]) => deployAs(SETTINGS, rpcUrl, ...more);
