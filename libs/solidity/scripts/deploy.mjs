// Deploys the contracts at their addresses on a chain and verifies the code there. Idempotent:
// DEPLOYER_PRIVATE_KEY=0x… npm run deploy -w @bascule/solidity -- --rpc-url <url> [--settings <file>] [--check]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createPublicClient, createWalletClient, http, isAddressEqual } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  codeHashWithoutImmutables,
  CREATE2_DEPLOYER,
  deploymentData,
  deploymentsOf,
} from '../src/deployment-settings.ts';

/** Code of a key that delegates by EIP-7702. */
const DELEGATION = '0xef0100';

/** @throws Error when the address has other code than expected */
async function isThere(client, { name, address, codeHash, immutables }) {
  const code = await client.getCode({ address });
  if (code && codeHashWithoutImmutables(code, immutables) !== codeHash)
    throw new Error(`code at ${address} differs from the build's ${name}`);
  return code !== undefined;
}

/** @throws Error when the executor would belong to the deployer or another key, not to a multisig on this chain */
async function requireContractAsOwner(client, owner, account) {
  if (account && isAddressEqual(owner, account.address))
    throw new Error(`executor.owner ${owner} is the deployer's key: name a multisig`);
  const code = await client.getCode({ address: owner });
  if (!code || code.startsWith(DELEGATION)) {
    throw new Error(
      `executor.owner ${owner} has no contract on this chain: deploy the multisig here first`,
    );
  }
}

async function deploy({ rpcUrl, settings, account }) {
  const transport = http(rpcUrl);
  const client = createPublicClient({ transport });
  if (!(await client.getCode({ address: CREATE2_DEPLOYER }))) {
    throw new Error(`the chain has no CREATE2 deployer at ${CREATE2_DEPLOYER}`);
  }
  if (settings.executor) await requireContractAsOwner(client, settings.executor.owner, account);
  const wallet = account && createWalletClient({ account, transport });
  for (const contract of deploymentsOf(settings)) {
    const { name, address, initCode } = contract;
    let state = 'there';
    if (!(await isThere(client, contract))) {
      if (!wallet || !initCode) throw new Error(`${name} is not at ${address}`);
      const data = deploymentData(initCode);
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
  settings: values.settings ? JSON.parse(readFileSync(values.settings, 'utf8')) : {},
  account: values.check ? undefined : privateKeyToAccount(key),
});
