import { hasWitness, testimonies, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { TransactionReceiptNotFoundError } from 'viem';
import type { Hash, Log, TransactionReceipt } from 'viem';

/** A recorded transfer to a wallet, as one node reported it. */
export interface ReportedTransfer {
  token: TokenIdentifier;
  wallet: string;
  /** Smallest units. */
  amount: bigint;
  transactionHash: Hash;
  /** As in `Deposit.position`. */
  position: string;
  blockHash: string;
}

/**
 * Testimony of the other nodes about a transfer: `witnessed` by one in the same block, `denied` by two, else `unclear`.
 * @throws where none of them answers
 */
export async function testimonyAbout(
  { endpoints }: Chain,
  node: EndpointClient,
  transfer: ReportedTransfer,
): Promise<'witnessed' | 'denied' | 'unclear'> {
  const others = endpoints.filter((endpoint) => endpoint !== node);
  const answers = await testimonies(
    others,
    async (other) => {
      const receipt = await receiptIn(other, transfer.transactionHash, transfer.blockHash);
      return receipt !== null && (await hasTransfer(other, receipt, transfer));
    },
    String,
  );
  if (answers.some(({ answer }) => answer)) return 'witnessed';
  return answers.some(({ witnesses }) => witnesses >= DENIALS) ? 'denied' : 'unclear';
}

/** Nodes that outvote one. */
const DENIALS = 2;

/** Whether a second node has logs of one transaction in the same block; always where none is configured. */
export const areLogsWitnessed = (
  chain: Chain,
  node: EndpointClient,
  logs: readonly ReportedLog[],
): Promise<boolean> =>
  hasWitness(chain, node, async (other) => {
    const [first] = logs;
    if (first === undefined) return true;
    const receipt = await receiptIn(other, first.transactionHash, first.blockHash);
    return logs.every((log) => receipt?.logs.some((found) => isSameLog(found, log)) === true);
  });

export type ReportedLog = Pick<
  Log<bigint, number, false>,
  'address' | 'logIndex' | 'topics' | 'data'
> & {
  transactionHash: Hash;
  blockHash: Hash;
};

/** Null where the node has no successful receipt in this block. */
async function receiptIn(
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

async function hasTransfer(
  node: EndpointClient,
  { logs, transactionHash: hash }: TransactionReceipt,
  { token, wallet, amount, position }: ReportedTransfer,
): Promise<boolean> {
  const { address } = parseTokenIdentifier(token);
  if (address !== ZERO_ADDRESS) {
    return logs.some(
      (log) =>
        position === `log:${log.logIndex}` &&
        log.address.toLowerCase() === address.toLowerCase() &&
        log.topics[2]?.slice(-40).toLowerCase() === wallet.slice(-40).toLowerCase() &&
        BigInt(log.data) === amount,
    );
  }
  // Only traces show a call within the transaction, and few nodes have them.
  if (position !== 'trace:') return true;
  const { to, value } = await node.getTransaction({ hash });
  return to?.toLowerCase() === wallet.toLowerCase() && value === amount;
}

const isSameLog = (one: Log<bigint, number, false>, other: ReportedLog): boolean =>
  one.logIndex === other.logIndex &&
  one.address.toLowerCase() === other.address.toLowerCase() &&
  one.data === other.data &&
  one.topics.join() === other.topics.join();
