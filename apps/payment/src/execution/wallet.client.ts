import { newestInRange, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, getAbiItem } from 'viem';
import type { Address, Hash } from 'viem';

export interface WalletState {
  /** Balance of the requested token, in its smallest unit. */
  balance: bigint;
  legExecuted: boolean;
  executorEnded: boolean;
}

const LEG_EXECUTED = getAbiItem({ abi: oneTimeWalletAbi, name: 'LegExecuted' });

/** Reads a wallet's current state; an undeployed wallet has executed nothing. */
export async function readWallet(
  { client }: Chain,
  wallet: Address,
  token: Address,
): Promise<WalletState> {
  const [code, balance] = await Promise.all([
    client.getCode({ address: wallet }),
    token === ZERO_ADDRESS
      ? client.getBalance({ address: wallet })
      : client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [wallet],
        }),
  ]);
  if (code === undefined) return { balance, legExecuted: false, executorEnded: false };
  const contract = { address: wallet, abi: oneTimeWalletAbi } as const;
  const [legExecuted, executorEnded] = await Promise.all([
    client.readContract({ ...contract, functionName: 'legExecuted' }),
    client.readContract({ ...contract, functionName: 'executorEnded' }),
  ]);
  return { balance, legExecuted, executorEnded };
}

/** Finds the final transaction that executed the wallet's leg. */
export async function findExecution(
  { client, definition }: Chain,
  wallet: Address,
  fromBlock: bigint,
): Promise<Hash | null> {
  const head = await client.getBlockNumber({ cacheTime: 0 });
  const toBlock = head - BigInt(definition.confirmations) + 1n;
  if (toBlock < fromBlock) return null;
  const executed = await newestInRange({ fromBlock, toBlock }, (part) =>
    client.getLogs({ address: wallet, event: LEG_EXECUTED, ...part }),
  );
  return executed?.transactionHash ?? null;
}
