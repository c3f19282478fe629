import { isTooLarge, NodesUnavailableError } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { intentEscrowAbi } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { BlockNotFoundError, getAbiItem, isAddressEqual, parseEventLogs } from 'viem';
import type { Address, Hash, Hex, Log } from 'viem';
import { promptAnswer } from './prompt-answer.client.js';

export interface BlockRange {
  from: bigint;
  to: bigint;
}

/** Orders that were opened in a range of blocks. */
interface Opened {
  /** Hash of the last block. */
  hash: Hash;
  orders: { orderId: Hex; order: Order }[];
  /** False where a block was read by its receipts. */
  areLogsGiven: boolean;
  /** Transactions whose receipts are too large to be read. */
  unread: Hash[];
}

type OpenLog = Log<bigint, number, false> & { args: Opened['orders'][number] };

const OPEN = getAbiItem({ abi: intentEscrowAbi, name: 'Open' });
/** Receipts of one answer: each of them may have megabytes. */
const RECEIPTS_AT_ONCE = 10;

/**
 * Reads the orders of a range, as two nodes say alike: one node could hide orders, which are never read again. A single block
 * is read by its receipts where a node does not give its logs.
 * @param beforePart runs before each part of such a block, and ends the read by throwing
 * @throws when too few nodes answer alike; a smaller range may succeed
 */
export async function openedOrders(
  chain: Chain,
  escrow: Address,
  range: BlockRange,
  beforePart: () => Promise<void>,
): Promise<Opened> {
  const refusals: unknown[] = [];
  const opened = await promptAnswer(
    chain,
    async (node) => {
      // Read before the logs, so that a reorg in between is detected.
      const hash = await requireHash(node, range.to);
      try {
        return { hash, logs: await openLogs(node, escrow, range) };
      } catch (error) {
        refusals.push(error);
        return 'refused' as const;
      }
    },
    (found) => (found === 'refused' ? found : [found.hash, ...found.logs.map(logKey)].join(' ')),
  ).catch((error: unknown) => {
    if (refusals.length === 0) throw error;
    return 'refused' as const;
  });
  if (opened !== 'refused') {
    const orders = opened.logs.map(({ args }) => args);
    return { hash: opened.hash, orders, areLogsGiven: true, unread: [] };
  }
  if (range.from < range.to) {
    throw new NodesUnavailableError(`endpoints of ${chain.name} give no logs`, refusals);
  }
  return ordersByReceipts(chain, escrow, range.to, beforePart);
}

/** Reads the orders of a block by the receipts of its transactions, a few at a time: anyone can fill a block with orders. */
async function ordersByReceipts(
  chain: Chain,
  escrow: Address,
  number: bigint,
  beforePart: () => Promise<void>,
): Promise<Opened> {
  const { hash, transactions } = await promptAnswer(
    chain,
    (node) => node.getBlock({ blockNumber: number }),
    (block) => [block.hash, ...block.transactions].join(' '),
  );
  const opened: Opened = { hash, orders: [], areLogsGiven: false, unread: [] };
  for (let start = 0; start < transactions.length; start += RECEIPTS_AT_ONCE) {
    await beforePart();
    const part = transactions.slice(start, start + RECEIPTS_AT_ONCE);
    const found = await promptAnswer(
      chain,
      (node) => Promise.all(part.map((transaction) => openedBy(node, escrow, transaction, hash))),
      (logs) => logs.map((each) => each?.map(logKey).join(' ') ?? 'too large').join('\n'),
    );
    opened.orders.push(...found.flatMap((logs) => logs?.map(({ args }) => args) ?? []));
    opened.unread.push(...part.filter((_, index) => found[index] === null));
  }
  return opened;
}

/** Reads the orders of a transaction; null where its receipt is too large. */
async function openedBy(
  node: EndpointClient,
  escrow: Address,
  hash: Hash,
  blockHash: Hash,
): Promise<OpenLog[] | null> {
  try {
    const receipt = await node.getTransactionReceipt({ hash });
    if (receipt.blockHash !== blockHash) throw new Error(`${hash} is not in block ${blockHash}`);
    const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, escrow));
    return parseEventLogs({ abi: [OPEN], logs });
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw error;
  }
}

const openLogs = (node: EndpointClient, escrow: Address, { from, to }: BlockRange) =>
  node.getLogs({ address: escrow, event: OPEN, fromBlock: from, toBlock: to, strict: true });

const logKey = ({ blockHash, logIndex, topics, data }: OpenLog): string =>
  [blockHash, logIndex, ...topics, data].join();

async function requireHash(node: EndpointClient, blockNumber: bigint): Promise<Hash> {
  const hash = await hashAt(node, blockNumber);
  if (hash === null) throw new Error(`node has no block ${blockNumber}`);
  return hash;
}

/** Reads the hash of a block; null where the node has none of this number. */
export async function hashAt(node: EndpointClient, blockNumber: bigint): Promise<Hash | null> {
  try {
    const { hash } = await node.getBlock({ blockNumber });
    return hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}
