import { receiptIn, testimonyOf, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, getAddress, parseEventLogs } from 'viem';
import type { Hash, TransactionReceipt } from 'viem';
import type { Watched } from './block-logs.client.js';
import { readWalletBlock } from './block-reader.client.js';
import { isRefusal } from './native-balances.client.js';

/** Wait for slower nodes that read a whole block, which may take several requests. */
const BLOCK_STRAGGLER_MS = 10_000;

/** A recorded transfer to a wallet, as one node reported it. */
export interface ReportedTransfer {
  token: TokenIdentifier;
  wallet: string;
  /** Null where the node told none. */
  sender: string | null;
  /** Smallest units. */
  amount: bigint;
  transactionHash: Hash;
  /** As in `Deposit.position`. */
  position: string;
  blockHash: string;
  blockNumber: bigint;
}

/**
 * Testimony of the nodes about a transfer and its sender: its log, or for native currency a plain transaction.
 * @throws where no node answers
 */
export const testimonyAbout = (chain: Chain, transfer: ReportedTransfer) =>
  testimonyOf(chain, async (node) => {
    const receipt = await receiptIn(node, transfer.transactionHash, transfer.blockHash);
    if (receipt === null) return false;
    return parseTokenIdentifier(transfer.token).address === ZERO_ADDRESS
      ? hasValue(node, transfer)
      : hasTransfer(receipt, transfer) && !isConverted(chain, receipt, transfer);
  });

/**
 * Testimony of the nodes about native currency within calls of a block, which the wallet's balance tells: few nodes have
 * traces. A node without the block's state tells what the wallet holds at a later height.
 * @param rise of all native currency in the block
 * @param held native currency that the wallet should hold at the height at least, confirmed or not, in smallest units
 */
export const testimonyAboutRise = (
  chain: Chain,
  rise: ReportedRise,
  { held, height }: { held: bigint; height: bigint },
) =>
  testimonyOf(chain, async (node) => {
    try {
      return await hasRise(node, rise);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const address = getAddress(rise.wallet);
      return (await node.getBalance({ address, blockNumber: height })) >= held;
    }
  });

/**
 * Testimony of the nodes about several transfers of a block to a wallet, and their senders: it is read anew, whatever their
 * number.
 */
export const testimonyAboutTransfers = (
  chain: Chain,
  { wallet, number, hash, transfers }: ReportedBlock,
  watched: Watched,
) =>
  testimonyOf(
    chain,
    async (node) => {
      const source = { wallet: getAddress(wallet), watched };
      // The balance tells calls.
      const definition = { ...chain.definition, nativeTransfers: 'blocks' } as const;
      const block = await readWalletBlock(node, definition, number, source);
      if (block.hash !== hash) return false;
      const found = new Set(
        block.transfers.map(({ token, from, ...transfer }) =>
          nameOf({ ...transfer, token: tokenIdentifier(chain.name, token), sender: from }),
        ),
      );
      return transfers.every((transfer) => found.has(nameOf(transfer)));
    },
    BLOCK_STRAGGLER_MS,
  );

/** Transfers of a block to a wallet. */
export interface ReportedBlock<T extends ReportedTransfer = ReportedTransfer> {
  wallet: string;
  number: bigint;
  hash: string;
  transfers: readonly T[];
}

/** Native currency that a wallet should have received in a block at least. */
export type ReportedRise = Pick<
  ReportedTransfer,
  'wallet' | 'amount' | 'blockHash' | 'blockNumber'
>;

/** Names a transfer with all that nodes tell of it. */
const nameOf = (
  transfer: Pick<ReportedTransfer, 'token' | 'sender' | 'amount' | 'transactionHash' | 'position'>,
): string => {
  const { token, sender, amount, transactionHash, position } = transfer;
  return [token, sender, amount, transactionHash, position].join(' ').toLowerCase();
};

/** Whether the log at the place of the transfer is that transfer: other events may have the same addresses and data. */
function hasTransfer(
  { logs }: TransactionReceipt,
  { token, wallet, sender, amount, position }: ReportedTransfer,
): boolean {
  const { address } = parseTokenIdentifier(token);
  const found = logs.filter(
    (log) => position === `log:${log.logIndex}` && isSameAddress(log.address, address),
  );
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', strict: true, logs: found }).some(
    ({ args: { from, to, value } }) =>
      isSameAddress(from, sender) && isSameAddress(to, wallet) && value === amount,
  );
}

/** Whether the converter sent it within the wallet's own leg, which a node that leaves out `LegExecuted` hides. */
const isConverted = (
  { definition: { contracts } }: Pick<Chain, 'definition'>,
  { logs }: TransactionReceipt,
  { wallet, sender }: ReportedTransfer,
): boolean =>
  isSameAddress(contracts.converter, sender) &&
  parseEventLogs({ abi: oneTimeWalletAbi, eventName: 'LegExecuted', logs }).some(({ address }) =>
    isSameAddress(address, wallet),
  );

const isSameAddress = (one: string, other: string | null): boolean =>
  one.toLowerCase() === other?.toLowerCase();

/** Whether a plain transaction in the block pays the wallet so much, from the sender. */
async function hasValue(
  node: EndpointClient,
  { transactionHash: hash, wallet, sender, amount, blockHash }: ReportedTransfer,
): Promise<boolean> {
  const transaction = await node.getTransaction({ hash });
  return (
    transaction.blockHash === blockHash &&
    isSameAddress(transaction.from, sender) &&
    isSameAddress(wallet, transaction.to) &&
    transaction.value === amount
  );
}

/** Whether the wallet's balance has risen at least so far in the same block. */
async function hasRise(
  node: EndpointClient,
  { wallet, amount, blockHash, blockNumber }: ReportedRise,
): Promise<boolean> {
  const address = getAddress(wallet);
  const [block, after, before] = await Promise.all([
    node.getBlock({ blockNumber }),
    node.getBalance({ address, blockNumber }),
    node.getBalance({ address, blockNumber: blockNumber - 1n }),
  ]);
  return block.hash === blockHash && after - before >= amount;
}
