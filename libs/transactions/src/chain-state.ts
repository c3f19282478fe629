import { agreedHead, mediansOf, testimonies, testimonyOf, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { BlockNotFoundError, stringify, TransactionReceiptNotFoundError } from 'viem';
import type { Address, Hash, TransactionReceipt } from 'viem';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

/** State of a transaction on its chain. */
export type ChainState =
  | { state: 'confirmed'; attempt: StoredAttempt; receipt: TransactionReceipt }
  | { state: 'mined'; missingConfirmations: bigint }
  /** Nonce used by another transaction in a final block. */
  | { state: 'dead' }
  | { state: 'waiting'; isNext: boolean };

/** Ignores a receipt whose block was removed by a reorg; nodes may still return it. */
async function receiptOf(node: EndpointClient, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    const receipt = await node.getTransactionReceipt({ hash });
    const block = await node.getBlock({ blockNumber: receipt.blockNumber });
    return block.hash === receipt.blockHash ? receipt : null;
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}

/** An attempt that a node has in a block of the chain. */
interface MinedAttempt {
  attempt: StoredAttempt;
  receipt: TransactionReceipt;
}

/** Names all that is used of a receipt: its block, outcome and costs. */
function keyOf(found: MinedAttempt | null): string {
  if (found === null) return 'none';
  const { blockHash, blockNumber, status, gasUsed, effectiveGasPrice, logs } = found.receipt;
  const events = logs.map(({ address, topics, data, logIndex, ...log }) => [
    ...[address.toLowerCase(), topics, data, logIndex],
    ...[log.blockHash, log.blockNumber, log.transactionHash],
  ]);
  const { hash } = found.attempt;
  return stringify([hash, blockHash, blockNumber, status, gasUsed, effectiveGasPrice, events]);
}

async function findMined(
  node: EndpointClient,
  attempts: readonly StoredAttempt[],
): Promise<MinedAttempt | null> {
  const receipts = await Promise.all(attempts.map(({ hash }) => receiptOf(node, hash)));
  for (const [index, receipt] of receipts.entries()) {
    const attempt = attempts[index];
    if (receipt && attempt) return { attempt, receipt };
  }
  return null;
}

const nonceAt = async (node: EndpointClient, address: Address, blockNumber?: bigint) =>
  BigInt(
    await node.getTransactionCount(
      blockNumber === undefined ? { address } : { address, blockNumber },
    ),
  );

/** Use of a nonce, as one node says. */
interface NonceUse {
  /** Whether the nonce is used in the final block. */
  isUsed: boolean;
  /** Attempt that the node has as mined. */
  reported: MinedAttempt | null;
}

/**
 * Requires two nodes that have the final block: a false positive would pay twice, so two must also deny each attempt that
 * another node reports as mined. A node that lags, fails or lies prevents nothing.
 */
async function isDead(
  chain: Chain,
  { signer, nonce }: StoredTransaction,
  attempts: readonly StoredAttempt[],
  finalBlock: bigint,
): Promise<boolean> {
  const said = await testimonies(
    chain.endpoints,
    async (node): Promise<NonceUse> => ({
      isUsed: (await nonceAt(node, signer, finalBlock)) > nonce,
      reported: await findMined(node, attempts),
    }),
    ({ isUsed, reported }) => `${isUsed} ${keyOf(reported)}`,
  );
  const replaced = said.find(({ answer }) => answer.isUsed && answer.reported === null);
  if (replaced === undefined || replaced.witnesses < witnessesNeeded(chain)) return false;
  const verdicts = said.map(async ({ answer: { reported } }) =>
    reported === null ? 'denied' : testimonyOf(chain, (node) => hasInBlock(node, reported)),
  );
  return (await Promise.all(verdicts)).every((verdict) => verdict === 'denied');
}

/** Whether the block of a reported receipt is part of the node's chain, and contains the attempt. */
async function hasInBlock(
  node: EndpointClient,
  { attempt, receipt }: MinedAttempt,
): Promise<boolean> {
  try {
    const { hash, transactions } = await node.getBlock({ blockNumber: receipt.blockNumber });
    return hash === receipt.blockHash && transactions.includes(attempt.hash);
  } catch (error) {
    if (error instanceof BlockNotFoundError) return false;
    throw error;
  }
}

/**
 * Reads a transaction's state as of the head that the chain's endpoints agree on. It is mined as two of them say alike,
 * where several are configured: one that lies, or is on a fork, settles nothing.
 */
export async function readChainState(
  chain: Chain,
  transaction: StoredTransaction,
  attempts: readonly StoredAttempt[],
): Promise<ChainState> {
  const head = await agreedHead(chain);
  const confirmations = BigInt(chain.definition.confirmations);
  const needed = witnessesNeeded(chain);
  const said = await testimonies(head.endpoints, (it) => findMined(it, attempts), keyOf);
  const found = said.find(
    ({ answer, witnesses }) => answer !== null && witnesses >= needed,
  )?.answer;
  if (found) {
    const depth = head.number - found.receipt.blockNumber + 1n;
    return depth >= confirmations
      ? { state: 'confirmed', ...found }
      : { state: 'mined', missingConfirmations: confirmations - depth };
  }
  const { lower, higher } = await mediansOf(
    { name: chain.name, endpoints: head.endpoints },
    (node) => nonceAt(node, transaction.signer),
  );
  // One of two nodes keeps no transaction from being replaced.
  const isNext = lower === transaction.nonce || higher === transaction.nonce;
  if (higher <= transaction.nonce) return { state: 'waiting', isNext };
  const finalBlock = head.number - confirmations + 1n;
  const dead = finalBlock >= 0n && (await isDead(chain, transaction, attempts, finalBlock));
  return dead ? { state: 'dead' } : { state: 'waiting', isNext };
}
