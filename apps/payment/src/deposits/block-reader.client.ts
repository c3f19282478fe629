import { ZERO_ADDRESS } from '@bascule/chain';
import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { BlockNotFoundError, erc20Abi, getAbiItem, numberToHex } from 'viem';
import type { Address, Hash } from 'viem';
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

/** Payments among watched wallets (lower case), by wallet. */
export type FindWatched = (addresses: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

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
  findWatched: FindWatched,
): Promise<ScannedBlock[]> {
  const read = await Promise.all(numbers.map((number) => readBlock(node, definition, number)));
  const paid = new Set(read.flatMap(({ payments }) => payments.map(({ to }) => to.toLowerCase())));
  const watched = paid.size === 0 ? new Map<string, unknown>() : await findWatched([...paid]);
  const blocks: ScannedBlock[] = [];
  for (const { payments, ...block } of read) {
    const toWatched = payments.filter(({ to }) => watched.has(to.toLowerCase()));
    const plain = await plainTransfers(node, block.hash, toWatched);
    blocks.push({ ...block, transfers: [...block.transfers, ...plain] });
  }
  return blocks;
}

async function readBlock(
  node: EndpointClient,
  definition: ChainDefinition,
  number: bigint,
): Promise<ReadBlock> {
  const isTraced = definition.nativeTransfers === 'trace_block';
  const { isEmpty, payments, ...pointer } = isTraced
    ? await readHeader(node, number)
    : await readPayments(node, number);
  if (isEmpty) return { ...pointer, payments, transfers: [] };
  const [logs, native] = await Promise.all([
    readLogs(node, pointer.hash),
    isTraced ? readTraces(node, pointer) : [],
  ]);
  const { converter } = definition.contracts;
  const executions = { executing: logs.executing, converter };
  const transfers = arrivals([...logs.transfers, ...native], executions);
  return { ...pointer, payments, transfers };
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
  const block = await node.getBlock({ blockNumber: number, includeTransactions: true });
  const { hash, parentHash, timestamp, transactions } = block;
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

async function readLogs(node: EndpointClient, blockHash: Hash) {
  const logs = await node.getLogs({ blockHash, events: [TRANSFER, LEG_EXECUTED], strict: true });
  const executing = new Set<string>();
  const transfers: Transfer[] = [];
  for (const log of logs) {
    if (log.eventName === 'LegExecuted') {
      executing.add(executionKey(log.transactionHash, log.address));
      continue;
    }
    transfers.push({
      token: log.address,
      from: log.args.from,
      to: log.args.to,
      amount: log.args.value,
      transactionHash: log.transactionHash,
      position: `log:${log.logIndex}`,
    });
  }
  return { executing, transfers };
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

const RECEIPTS_AT_ONCE = 20;

/** Transfers of plain payments; reverted ones moved nothing. */
export async function plainTransfers(
  node: EndpointClient,
  blockHash: Hash,
  payments: readonly PlainPayment[],
): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  for (let start = 0; start < payments.length; start += RECEIPTS_AT_ONCE) {
    const part = payments.slice(start, start + RECEIPTS_AT_ONCE);
    const receipts = await Promise.all(
      part.map(({ hash }) => node.getTransactionReceipt({ hash })),
    );
    if (receipts.some((receipt) => receipt.blockHash !== blockHash)) {
      throw new Error(`block ${blockHash} was replaced while it was read`);
    }
    for (const [index, { hash, from, to, value }] of part.entries()) {
      if (receipts[index]?.status !== 'success') continue;
      const transfer = { token: ZERO_ADDRESS, from, to, amount: value };
      transfers.push({ ...transfer, transactionHash: hash, position: PLAIN_POSITION });
    }
  }
  return transfers;
}
