import { isDevelopmentChain, isTooLarge, withAnswerLimit, ZERO_ADDRESS } from '@bascule/chain';
import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { BlockNotFoundError, isAddress, isHash, numberToHex } from 'viem';
import type { Address, Hash } from 'viem';
import {
  readAllLogs,
  readWalletLogs,
  readWatchedLogs,
  sentToWatched,
} from './block-logs.client.js';
import type { BlockSource, Watched } from './block-logs.client.js';
import { isTimeout, readEach } from './bounded-answers.client.js';
import { PartReaderClient } from './part-reader.client.js';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import { arrivals, nativeTransfers, PLAIN_POSITION } from './transfers.js';
import type { CallTrace, Transfer } from './transfers.js';

export const dateOf = (seconds: bigint): Date => new Date(Number(seconds) * 1000);

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

/** Most bytes of an answer that is read beside others. An ordinary block is smaller. */
const SHARE_BYTES = 2 ** 20;
/** Most blocks that are read at once. */
const LARGEST_BATCH = 20;
/** Blocks to read at once, by node: one after a large block, and twice as many after each batch without any. */
const batchSizes = new WeakMap<EndpointClient, number>();

/**
 * Reads all transfers of the first of these blocks from one node, one block at least, each by the block's hash, so that the
 * parts are consistent. A block with large answers is read alone. Without traces it asks for the receipts of plain
 * transactions to watched wallets only.
 */
export async function readBlocks(
  node: EndpointClient,
  definition: ChainDefinition,
  numbers: readonly bigint[],
  watched: Watched,
): Promise<ScannedBlock[]> {
  const most = batchSizes.get(node) ?? LARGEST_BATCH;
  const batch = numbers.slice(0, most);
  const read = await readBatch(
    { node, definition, watched, parts: new PartReaderClient(node) },
    batch,
  );
  if (read.length < batch.length) batchSizes.set(node, 1);
  else if (batch.length === most) batchSizes.set(node, Math.min(2 * most, LARGEST_BATCH));
  read.forEach((block) => requireNotAhead(definition, block));
  const payments = read.flatMap((block) => block.payments);
  const toWatched = new Set(await sentToWatched(watched, payments));
  const blocks: ScannedBlock[] = [];
  for (const block of read) blocks.push(await withPlain(node, block, (it) => toWatched.has(it)));
  return blocks;
}

/** Reads the transfers of a block to one wallet. */
export async function readWalletBlock(
  node: EndpointClient,
  definition: ChainDefinition,
  number: bigint,
  { wallet, watched }: { wallet: Address; watched: Watched },
): Promise<ScannedBlock> {
  const source = { node, definition, watched, parts: new PartReaderClient(node) };
  const isOfWallet = ({ to }: { to: Address }) => to.toLowerCase() === wallet.toLowerCase();
  const block = await readAlone(source, number, {
    logs: (pointer) => readWalletLogs(source, pointer, wallet),
    keep: (transfers) => transfers.filter(isOfWallet),
  });
  requireNotAhead(definition, block);
  return withPlain(node, block, isOfWallet);
}

/** Most time that a block may be ahead of this process's clock. */
const MAX_AHEAD_MS = 60_000;

/** @throws where a block's time is in the future, which would expire payments; development chains may jump ahead */
function requireNotAhead(definition: ChainDefinition, { number, timestamp }: BlockPointer): void {
  if (isDevelopmentChain(definition) || timestamp.getTime() <= Date.now() + MAX_AHEAD_MS) return;
  throw new Error(
    `expected block ${number} of ${definition.name} at most ${MAX_AHEAD_MS} ms ahead of the clock, ` +
      `found ${timestamp.toISOString()}: check the node and this machine's clock`,
  );
}

/** Reads blocks at once, up to the first with a large answer; that one alone where it is the first. */
async function readBatch(source: BlockSource, batch: readonly bigint[]): Promise<ReadBlock[]> {
  const [first] = batch;
  if (first === undefined) return [];
  const { node, definition, watched } = source;
  if (batch.length > 1) {
    const small = withAnswerLimit(node, SHARE_BYTES);
    const read = await Promise.all(batch.map((number) => readSmall(small, definition, number)));
    const end = read.indexOf(null);
    const blocks = (end === -1 ? read : read.slice(0, end)).filter((block) => block !== null);
    if (blocks.length > 0) return blocks;
  }
  const alone = await readAlone(source, first, {
    logs: ({ hash }) => readWatchedLogs(source, hash),
    keep: (transfers) => sentToWatched(watched, transfers),
  });
  return [alone];
}

/** Reads a block whose answers are small; null for another one. */
async function readSmall(
  node: EndpointClient,
  definition: ChainDefinition,
  number: bigint,
): Promise<ReadBlock | null> {
  try {
    const isTraced = definition.nativeTransfers === 'trace_block';
    const { isEmpty, payments, ...pointer } = isTraced
      ? await readHeader(node, number)
      : withPayments(
          number,
          await node.getBlock({ blockNumber: number, includeTransactions: true }),
        );
    if (isEmpty) return { ...pointer, payments, transfers: [] };
    const [{ executing, transfers }, native] = await Promise.all([
      readAllLogs(node, pointer.hash),
      isTraced ? readTraces(node, pointer) : [],
    ]);
    const { converter } = definition.contracts;
    const arrived = arrivals([...transfers, ...native], { executing, converter });
    return { ...pointer, payments, transfers: arrived };
  } catch (error) {
    if (isTooLarge(error) || isTimeout(error)) return null;
    throw error;
  }
}

/** Reads what is kept of a block, one answer after the other: each may be large. */
async function readAlone(
  { node, definition, parts }: BlockSource,
  number: bigint,
  read: {
    logs: (pointer: BlockPointer) => ReturnType<typeof readWalletLogs | typeof readWatchedLogs>;
    keep: (transfers: Transfer[]) => Transfer[] | Promise<Transfer[]>;
  },
): Promise<ReadBlock> {
  const isTraced = definition.nativeTransfers === 'trace_block';
  const { isEmpty, payments, ...pointer } = isTraced
    ? await readHeader(node, number)
    : withPayments(number, await readWhole(node, number, parts));
  if (isEmpty) return { ...pointer, payments, transfers: [] };
  const { executing, transfers, ...logs } = await read.logs(pointer);
  const { native, ...traced } = isTraced
    ? await readTracesOf(node, pointer, parts)
    : { native: [], payments };
  const executions = { executing, converter: definition.contracts.converter };
  const arrived = arrivals([...transfers, ...(await read.keep(native))], executions);
  return { ...pointer, ...traced, ...logs, executing, transfers: arrived };
}

/** Adds the plain payments that matter. */
async function withPlain(
  node: EndpointClient,
  { payments, ...block }: ReadBlock,
  matters: (payment: PlainPayment) => boolean,
): Promise<ScannedBlock> {
  const plain = await plainTransfers(node, block.hash, payments.filter(matters));
  const native = block.transfers.filter(({ token }) => token === ZERO_ADDRESS);
  for (const { transactionHash: hash, amount: value, from, to } of native) {
    requireWhole({ hash, from, to, value });
  }
  return { ...block, transfers: [...block.transfers, ...plain] };
}

/** Reads plain payments in place of traces that are too large: balances show the rest. */
async function readTracesOf(node: EndpointClient, pointer: BlockPointer, parts: PartReaderClient) {
  try {
    return { native: await readTraces(node, pointer), payments: [] };
  } catch (error) {
    if (!(await parts.allowsParts(error))) throw error;
  }
  const { hash, payments } = withPayments(
    pointer.number,
    await readWhole(node, pointer.number, parts),
  );
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

/** Reads a block with its plain payments and the hashes of its transactions. */
export async function readPayments(node: EndpointClient, number: bigint) {
  const block = await readWhole(node, number, new PartReaderClient(node));
  return {
    ...withPayments(number, block),
    transactions: block.transactions.map(({ hash }) => ({ hash })),
  };
}

interface WholeBlock {
  hash: Hash;
  parentHash: Hash;
  timestamp: bigint;
  transactions: readonly (Omit<PlainPayment, 'to'> & { to: Address | null })[];
}

/** Keeps no calldata of the transactions. */
function withPayments(number: bigint, { hash, parentHash, timestamp, transactions }: WholeBlock) {
  return {
    number,
    hash,
    parentHash,
    timestamp: dateOf(timestamp),
    isEmpty: transactions.length === 0,
    payments: transactions.flatMap(({ hash: id, from, to, value }): PlainPayment[] =>
      to === null || value === 0n || to === from ? [] : [{ hash: id, from, to, value }],
    ),
  };
}

/** Reads a block whose calldata is too large for one answer by its transactions, which are small. */
async function readWhole(
  node: EndpointClient,
  blockNumber: bigint,
  parts: PartReaderClient,
): Promise<WholeBlock> {
  try {
    return await node.getBlock({ blockNumber, includeTransactions: true });
  } catch (error) {
    if (!(await parts.allowsParts(error))) throw error;
  }
  const block = await node.getBlock({ blockNumber });
  const indices = block.transactions.map((_, index) => index);
  const small = withAnswerLimit(node, SHARE_BYTES);
  const transactions = await readEach(indices, async (index) => {
    const { hash, from, to, value } = await small.getTransaction({ blockHash: block.hash, index });
    return { hash, from, to, value };
  });
  return { ...block, transactions };
}

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

/** Whether sender and recipient are addresses as a node tells them. */
export const hasAddresses = ({ from, to }: { from: string; to: string }): boolean =>
  [from, to].every((it) => isAddress(it, { strict: false }));

/** @throws where a field is missing or of another kind: without a sender, money would pass the screening */
function requireWhole({ hash, from, to, value }: PlainPayment): void {
  const areOfKind = isHash(hash) && hasAddresses({ from, to }) && typeof value === 'bigint';
  if (areOfKind && value > 0n) return;
  throw new Error(`expected hash, addresses and value of the transaction ${hash}: check the node`);
}

/**
 * Transfers of plain payments; reverted ones moved nothing.
 * @throws where a node tells one with a missing or an invalid field
 */
export async function plainTransfers(
  node: EndpointClient,
  blockHash: Hash,
  payments: readonly PlainPayment[],
): Promise<Transfer[]> {
  if (payments.length === 0) return [];
  payments.forEach(requireWhole);
  const small = withAnswerLimit(node, SHARE_BYTES);
  const receipts = await readEach(payments, ({ hash }) => small.getTransactionReceipt({ hash }));
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
