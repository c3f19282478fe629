import { TransactionReceiptNotFoundError } from 'viem';
import type { Hash, Log, TransactionReceipt } from 'viem';
import type { Chain, EndpointClient } from './chain.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { testimonyOf, witnessesNeeded } from './witnesses.js';

export type ReportedLog = Pick<
  Log<bigint, number, false>,
  'address' | 'logIndex' | 'topics' | 'data' | 'blockNumber'
> & {
  transactionHash: Hash;
  blockHash: Hash;
};

/**
 * Whether two nodes have logs of one transaction in the same block, or the only one.
 * @param read reads a node's receipt; a caller with many questions about a transaction may share it
 */
export async function areLogsWitnessed(
  chain: Pick<Chain, 'endpoints'>,
  logs: readonly ReportedLog[],
  read: typeof receiptIn = receiptIn,
): Promise<boolean> {
  const [first] = logs;
  if (first === undefined) return true;
  const testimony = await testimonyOf(chain, async (node) => {
    const receipt = await read(node, first.transactionHash, first.blockHash);
    if (receipt === null) return false;
    return logs.every(
      (log) =>
        log.blockNumber === receipt.blockNumber &&
        receipt.logs.some((found) => isSameLog(found, log)),
    );
  });
  return testimony === 'witnessed';
}

/**
 * Asks node by node until one finds something whose logs another node has, too; undefined where none does.
 * @throws NodesUnavailableError when nothing is found and fewer than two nodes answered, where several are configured
 */
export async function witnessedFinding<T>(
  chain: Pick<Chain, 'endpoints'>,
  find: (node: EndpointClient) => Promise<T | undefined>,
  logsOf: (found: T) => readonly ReportedLog[],
): Promise<T | undefined> {
  const failures: unknown[] = [];
  for (const node of chain.endpoints) {
    try {
      const found = await find(node);
      if (found !== undefined && (await areLogsWitnessed(chain, logsOf(found)))) return found;
    } catch (error) {
      failures.push(error);
    }
  }
  const answered = chain.endpoints.length - failures.length;
  if (answered >= witnessesNeeded(chain)) return undefined;
  throw new NodesUnavailableError(`only ${answered} nodes answered`, failures);
}

/** Null where the node has no successful receipt in this block. */
export async function receiptIn(
  node: EndpointClient,
  hash: Hash,
  blockHash: string,
): Promise<TransactionReceipt | null> {
  try {
    const receipt = await node.getTransactionReceipt({ hash });
    return receipt.status === 'success' && receipt.blockHash === blockHash ? receipt : null;
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

const isSameLog = (one: Log<bigint, number, false>, other: ReportedLog): boolean =>
  one.logIndex === other.logIndex &&
  one.address.toLowerCase() === other.address.toLowerCase() &&
  one.data === other.data &&
  one.topics.join() === other.topics.join();
