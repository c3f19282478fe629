import { randomBytes } from 'node:crypto';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, developmentDeployments } from '@bascule/solidity';
import {
  concat,
  createPublicClient,
  createWalletClient,
  getCreate2Address,
  http,
  toHex,
  type Address,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/**
 * A token of a development chain that no list has: the bytecode of its USDC (6 decimals) at another address. The
 * faucet holds plenty.
 */
export async function deployAnotherToken(rpcUrl: string): Promise<Address> {
  const usdc = developmentDeployments.find(({ name }) => name === 'usdc');
  if (!usdc || !('initCode' in usdc)) throw new Error('the development chains have no USDC');
  const salt = toHex(randomBytes(32));
  const from = developmentAddresses.create2Deployer;
  const transport = http(rpcUrl);
  const account = privateKeyToAccount(developmentAccounts[0].privateKey);
  const hash = await createWalletClient({ account, transport }).sendTransaction({
    chain: null,
    to: from,
    data: concat([salt, usdc.initCode]),
  });
  await createPublicClient({ transport }).waitForTransactionReceipt({ hash });
  return getCreate2Address({ from, salt, bytecode: usdc.initCode });
}
