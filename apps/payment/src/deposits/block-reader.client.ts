import { ZERO_ADDRESS } from '@bascule/chain';
import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { BlockNotFoundError, erc20Abi, getAbiItem, numberToHex } from 'viem';
import type { Address, Hash, Log } from 'viem';
import { isTooLarge, readEach, readInParts } from './bounded-answers.client.js';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import { arrivals, executionKey, nativeTransfers, PLAIN_POSITION } from './transfers.js';
import type { CallTrace, Transfer } from './transfers.js';

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' });
const LEG_EXECUTED = getAbiItem({ abi: oneTimeWalletAbi, name: 'LegExecuted' });

const dateOf = (seconds: bigint): Date => new Date(Number(seconds) * 1000);

/** Null for a block that the node does not have. */
export async function readPointer(
  node: EndpointClient,
  number: bigint,
): Promise<BlockPointer | null> {
  try {
    const block = await node.getBlock({ blockNumber: number });
    return { number, hash: block.hash, timestamp: dateOf(block.timestamp) };
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}

/** Wallets and tokens that matter. The lists are read for blocks only whose answers are too large without them. */
export interface Watched {
  /** Payments among wallets (lower case), by wallet. */
  paymentsOf(addresses: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Tokens of a chain that may be recorded. */
  tokensOn(chain: string): Promise<Address[]>;
  /** Wallets of payments that are open or hold money. */
  activeWallets(): Promise<Address[]>;
}

/** A plain transaction that pays, and may have been reverted. */
interface PlainPayment {
  hash: Hash;
  from: Address;
  to: Address;
  value: bigint;
}

interface ReadBlock extends ScannedBlock {
  payments: PlainPayment[];
}

/**
 * Reads all transfers of blocks from one node, each by the block's hash, so that the parts are consistent. Without
 * traces it asks for the receipts of plain transactions to watched wallets only.
 */
export async function readBlocks(
  node: EndpointClient,
  definition: ChainDefinition,
  numbers: readonly bigint[],
  watched: Watched,
): Promise<ScannedBlock[]> {
  const read = await Promise.all(
    numbers.map((number) => readBlock(node, definition, number, watched)),
  );
  const paid = new Set(read.flatMap(({ payments }) => payments.map(({ to }) => to.toLowerCase())));
  const known = paid.size === 0 ? new Map() : await watched.paymentsOf([...paid]);
  const blocks: ScannedBlock[] = [];
  for (const { payments, ...block } of read) {
    const toWatched = payments.filter(({ to }) => known.has(to.toLowerCase()));
    const plain = await plainTransfers(node, block.hash, toWatched);
    blocks.push({ ...block, transfers: [...block.transfers, ...plain] });
  }
  return blocks;
}

async function readBlock(
  node: EndpointClient,
  definition: ChainDefinition,
  number: bigint,
  watched: Watched,
): Promise<ReadBlock> {
  const isTraced = definition.nativeTransfers === 'trace_block';
  const { isEmpty, payments, ...pointer } = isTraced
    ? await readHeader(node, number)
    : await readPayments(node, number);
  if (isEmpty) return { ...pointer, payments, transfers: [] };
  const [logs, traced] = await Promise.all([
    readLogs(node, definition, pointer.hash, watched),
    isTraced ? readTracesOf(node, pointer) : { native: [], payments },
  ]);
  const { converter } = definition.contracts;
  const executions = { executing: logs.executing, converter };
  const transfers = arrivals([...logs.transfers, ...traced.native], executions);
  return { ...pointer, ...traced, unread: logs.unread, transfers };
}

/** Reads plain payments in place of traces that are too large: balances show the rest. */
async function readTracesOf(node: EndpointClient, pointer: { number: bigint; hash: Hash }) {
  try {
    const native = await readTraces(node, pointer);
    return { native, payments: [] };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  const { hash, payments } = await readPayments(node, pointer.number);
  if (hash !== pointer.hash) {
    throw new Error(`block ${pointer.number} was replaced while it was read`);
  }
  return { native: [], payments, isUntraced: true };
}

async function readHeader(node: EndpointClient, number: bigint) {
  const { hash, parentHash, timestamp, transactions } = await node.getBlock({
    blockNumber: number,
  });
  const isEmpty = transactions.length === 0;
  const payments: PlainPayment[] = [];
  return { number, hash, parentHash, timestamp: dateOf(timestamp), isEmpty, payments };
}

/** Reads a block with its plain payments. */
export async function readPayments(node: EndpointClient, number: bigint) {
  const { hash, parentHash, timestamp, transactions } = await readWhole(node, number);
  const payments = transactions.flatMap((it): PlainPayment[] =>
    it.to === null || it.value === 0n || it.to === it.from ? [] : [{ ...it, to: it.to }],
  );
  const isEmpty = transactions.length === 0;
  return {
    number,
    hash,
    parentHash,
    timestamp: dateOf(timestamp),
    isEmpty,
    payments,
    transactions,
  };
}

/** Reads a block whose calldata is too large for one answer by its transactions, which are small. */
async function readWhole(node: EndpointClient, blockNumber: bigint) {
  try {
    return await node.getBlock({ blockNumber, includeTransactions: true });
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  const block = await node.getBlock({ blockNumber });
  const indices = block.transactions.map((_, index) => index);
  const transactions = await readEach(indices, async (index) => {
    const found = await node.getTransaction({ blockHash: block.hash, index });
    const { hash, from, to, value } = found;
    return { hash, from, to, value };
  });
  return { ...block, transactions };
}

async function readLogs(
  node: EndpointClient,
  definition: ChainDefinition,
  blockHash: Hash,
  watched: Watched,
) {
  try {
    const logs = await node.getLogs({ blockHash, events: [TRANSFER, LEG_EXECUTED], strict: true });
    const executed = logs.filter((log) => log.eventName === 'LegExecuted');
    const transfers = logs.filter((log) => log.eventName === 'Transfer');
    return { executing: executionsOf(executed), transfers: transfers.map(transferOf), unread: [] };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return readKnownLogs(node, definition, blockHash, watched);
  }
}

/** More wallets than a block has gas to flood: a node that refuses them is at fault. */
const MAX_UNREAD_WALLETS = 10;

/** Reads the logs that matter of a block with too many: anyone can fill a block with logs at little cost. */
async function readKnownLogs(
  node: EndpointClient,
  { name, contracts: { converter } }: ChainDefinition,
  blockHash: Hash,
  watched: Watched,
) {
  const query = { blockHash, strict: true } as const;
  const unread = new Set<string>();
  const logs = await readInParts(
    await watched.tokensOn(name),
    (tokens) => node.getLogs({ ...query, address: [...tokens], event: TRANSFER }),
    async (token) =>
      readInParts(
        await watched.activeWallets(),
        (wallets) =>
          node.getLogs({ ...query, address: token, event: TRANSFER, args: { to: [...wallets] } }),
        (wallet, error) => {
          unread.add(wallet.toLowerCase());
          if (unread.size > MAX_UNREAD_WALLETS) throw error;
          return [];
        },
      ),
  );
  const transfers = logs.map(transferOf);
  const converted = transfers.filter((it) => it.from.toLowerCase() === converter.toLowerCase());
  const receivers = new Set(converted.map(({ to }) => to.toLowerCase()));
  const known = receivers.size === 0 ? new Map() : await watched.paymentsOf([...receivers]);
  const wallets = converted.map(({ to }) => to).filter((to) => known.has(to.toLowerCase()));
  const executed = await readInParts([...new Set(wallets)], (part) =>
    node.getLogs({ ...query, address: [...part], event: LEG_EXECUTED }),
  );
  return { executing: executionsOf(executed), transfers, unread: [...unread] };
}

type FoundLog = Log<bigint, number, false>;

const executionsOf = (logs: readonly FoundLog[]): Set<string> =>
  new Set(logs.map(({ transactionHash, address }) => executionKey(transactionHash, address)));

const transferOf = ({
  address,
  args,
  transactionHash,
  logIndex,
}: FoundLog & { args: { from: Address; to: Address; value: bigint } }): Transfer => ({
  token: address,
  from: args.from,
  to: args.to,
  amount: args.value,
  transactionHash,
  position: `log:${logIndex}`,
});

/** Reads native transfers of a block, including those within calls. */
export async function readTraces(
  node: EndpointClient,
  { number, hash }: { number: bigint; hash: Hash },
): Promise<Transfer[]> {
  const traces = await node.request<{ Parameters: [string]; ReturnType: CallTrace[] }>({
    method: 'trace_block',
    params: [numberToHex(number)],
  });
  if (traces.some(({ blockHash }) => blockHash !== undefined && blockHash !== hash)) {
    throw new Error(`block ${number} was replaced while it was read`);
  }
  return nativeTransfers(traces);
}

/** Transfers of plain payments; reverted ones moved nothing. */
export async function plainTransfers(
  node: EndpointClient,
  blockHash: Hash,
  payments: readonly PlainPayment[],
): Promise<Transfer[]> {
  const receipts = await readEach(payments, ({ hash }) => node.getTransactionReceipt({ hash }));
  if (receipts.some((receipt) => receipt.blockHash !== blockHash)) {
    throw new Error(`block ${blockHash} was replaced while it was read`);
  }
  return payments.flatMap(({ hash, from, to, value }, index): Transfer[] =>
    receipts[index]?.status === 'success'
      ? [
          {
            token: ZERO_ADDRESS,
            from,
            to,
            amount: value,
            transactionHash: hash,
            position: PLAIN_POSITION,
          },
        ]
      : [],
  );
}
