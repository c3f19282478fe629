import { ZERO_ADDRESS } from '@bascule/chain';
import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { BlockNotFoundError, erc20Abi, getAbiItem, numberToHex } from 'viem';
import type { Hash } from 'viem';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import { arrivals, executionKey, nativeTransfers } from './transfers.js';
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

/** Reads all transfers of a block from one node, by the block's hash, so that the parts are consistent. */
export async function readBlock(
  node: EndpointClient,
  definition: ChainDefinition,
  number: bigint,
): Promise<ScannedBlock> {
  const block = await node.getBlock({ blockNumber: number });
  const { hash, parentHash } = block;
  const pointer = { number, hash, parentHash, timestamp: dateOf(block.timestamp) };
  if (block.transactions.length === 0) return { ...pointer, transfers: [] };
  const [logs, native] = await Promise.all([
    readLogs(node, hash),
    definition.nativeTransfers === 'trace_block'
      ? readTraces(node, pointer)
      : readPlain(node, hash),
  ]);
  const { converter } = definition.contracts;
  const executions = { executing: logs.executing, converter };
  return { ...pointer, transfers: arrivals([...logs.transfers, ...native], executions) };
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

async function readTraces(
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

/** Without traces only plain transactions are visible; reverted ones moved nothing. */
async function readPlain(node: EndpointClient, blockHash: Hash): Promise<Transfer[]> {
  const { transactions } = await node.getBlock({ blockHash, includeTransactions: true });
  const paying = transactions.filter(({ to, value }) => to !== null && value > 0n);
  const receipts = await Promise.all(
    paying.map(({ hash }) => node.getTransactionReceipt({ hash })),
  );
  return paying.flatMap(({ hash, from, to, value }, index): Transfer[] =>
    to === null || receipts[index]?.status !== 'success'
      ? []
      : [
          {
            token: ZERO_ADDRESS,
            from,
            to,
            amount: value,
            transactionHash: hash,
            position: 'trace:',
          },
        ],
  );
}
