import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, sanctionsListAbi } from '@bascule/solidity';
import { createWalletClient, http, publicActions } from 'viem';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const [, owner] = developmentAccounts;

/** Adds addresses to the sanctions list of a development chain, or removes them, and waits until it is mined. */
export async function setSanctioned(
  rpcUrl: string,
  addresses: readonly Address[],
  isSanctioned = true,
): Promise<void> {
  const client = createWalletClient({
    account: privateKeyToAccount(owner.privateKey),
    transport: http(rpcUrl),
    cacheTime: 0,
  }).extend(publicActions);
  const hash = await client.writeContract({
    address: developmentAddresses.sanctionsList,
    abi: sanctionsListAbi,
    functionName: isSanctioned ? 'addToSanctionsList' : 'removeFromSanctionsList',
    args: [addresses],
    chain: null,
  });
  const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  if (status !== 'success') throw new Error(`${hash} reverted`);
}
