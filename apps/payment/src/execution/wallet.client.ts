import {
  finalBlock,
  newestInRange,
  witnessedAnswer,
  witnessedFinding,
  ZERO_ADDRESS,
} from '@bascule/chain';
import type { Chain, ChainClient, EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, getAbiItem } from 'viem';
import type { Address, TransactionReceipt } from 'viem';

export interface WalletState {
  /** Whether the balance of the requested token is at least what was needed. */
  hasNeeded: boolean;
  legExecuted: boolean;
  executorEnded: boolean;
}

const LEG_EXECUTED = getAbiItem({ abi: oneTimeWalletAbi, name: 'LegExecuted' });

/**
 * Reads a wallet's current state. Where several nodes are configured, two must say that its leg cannot start: a single one
 * holds up no leg, and ends none.
 * @param needed smallest units of the token for the leg
 */
export async function readWallet(
  chain: Chain,
  wallet: Address,
  token: Address,
  needed: bigint,
): Promise<WalletState> {
  const seen = await walletBy(chain.anyNode.client, wallet, token, needed);
  const canStart = !seen.legExecuted && !seen.executorEnded && seen.hasNeeded;
  return canStart ? seen : witnessedWallet(chain, wallet, token, needed);
}

/**
 * Reads a wallet's current state as two nodes say, or the only one. They need not agree on its balance, which strangers'
 * dust changes between two reads.
 * @param needed smallest units of the token
 * @throws when no two agree
 */
export const witnessedWallet = (chain: Chain, wallet: Address, token: Address, needed: bigint) =>
  witnessedAnswer(
    chain,
    (node) => walletBy(node, wallet, token, needed),
    ({ hasNeeded, legExecuted, executorEnded }) => `${hasNeeded} ${legExecuted} ${executorEnded}`,
  );

/** An undeployed wallet has executed nothing. */
async function walletBy(
  client: ChainClient | EndpointClient,
  wallet: Address,
  token: Address,
  needed: bigint,
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
  const hasNeeded = balance >= needed;
  if (code === undefined) return { hasNeeded, legExecuted: false, executorEnded: false };
  const contract = { address: wallet, abi: oneTimeWalletAbi } as const;
  const [legExecuted, executorEnded] = await Promise.all([
    client.readContract({ ...contract, functionName: 'legExecuted' }),
    client.readContract({ ...contract, functionName: 'executorEnded' }),
  ]);
  return { hasNeeded, legExecuted, executorEnded };
}

/**
 * Finds the final transaction that executed the wallet's leg, with two witnesses where several nodes are configured.
 * @throws when none is found and too few nodes answer
 */
export async function findExecution(
  chain: Chain,
  wallet: Address,
  fromBlock: bigint,
): Promise<TransactionReceipt | undefined> {
  const { number: toBlock } = await finalBlock(chain);
  if (toBlock < fromBlock) return undefined;
  return witnessedFinding(
    chain,
    async (node) => {
      const executed = await newestInRange({ fromBlock, toBlock }, (part) =>
        node.getLogs({ address: wallet, event: LEG_EXECUTED, ...part }),
      );
      return executed && node.getTransactionReceipt({ hash: executed.transactionHash });
    },
    ({ logs }) => logs,
  );
}
