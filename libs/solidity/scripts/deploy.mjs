// Deploys the contracts at their addresses on a chain and verifies the code there. Idempotent:
// DEPLOYER_PRIVATE_KEY=0x… npm run deploy -w @bascule/solidity -- --rpc-url <url> [--settings <file>] [--check]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { concat, createPublicClient, createWalletClient, http, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  contractDeployments,
  CREATE2_DEPLOYER,
  registry,
  run,
  SALT,
  withCodeHashes,
} from './deployments.mjs';
import { deploymentsOfSettings } from './settings.mjs';

function everything(settings) {
  run(['build']);
  const { deployments, place } = registry();
  const implementation = contractDeployments({ place });
  deploymentsOfSettings(settings, place);
  const { measured, codeHashAlongside } = withCodeHashes(deployments, implementation);
  return [
    ...measured,
    { name: 'oneTimeWalletImplementation', address: implementation, codeHash: codeHashAlongside },
  ];
}

/** @throws Error when the address has other code than expected */
async function isThere(client, { name, address, codeHash }) {
  const code = await client.getCode({ address });
  if (code && keccak256(code) !== codeHash)
    throw new Error(`code at ${address} differs from the build's ${name}`);
  return code !== undefined;
}

async function deploy({ rpcUrl, contracts, account }) {
  const transport = http(rpcUrl);
  const client = createPublicClient({ transport });
  if (!(await client.getCode({ address: CREATE2_DEPLOYER }))) {
    throw new Error(`the chain has no CREATE2 deployer at ${CREATE2_DEPLOYER}`);
  }
  const wallet = account && createWalletClient({ account, transport });
  for (const contract of contracts) {
    const { name, address, initCode } = contract;
    let state = 'there';
    if (!(await isThere(client, contract))) {
      if (!wallet || !initCode) throw new Error(`${name} is not at ${address}`);
      const data = concat([SALT, initCode]);
      const hash = await wallet.sendTransaction({ to: CREATE2_DEPLOYER, data, chain: null });
      await client.waitForTransactionReceipt({ hash });
      if (!(await isThere(client, contract)))
        throw new Error(`${name} has no code at ${address} after its deployment (${hash})`);
      state = 'deployed';
    }
    process.stdout.write(`${name} ${address} ${state}\n`);
  }
}

const { values } = parseArgs({
  options: {
    'rpc-url': { type: 'string' },
    settings: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});
const { DEPLOYER_PRIVATE_KEY: key } = process.env;
if (!values['rpc-url']) throw new Error('--rpc-url is missing');
if (!key && !values.check) throw new Error('DEPLOYER_PRIVATE_KEY is missing; --check needs none');

await deploy({
  rpcUrl: values['rpc-url'],
  contracts: everything(values.settings ? JSON.parse(readFileSync(values.settings, 'utf8')) : {}),
  account: values.check ? undefined : privateKeyToAccount(key),
});
