import {
  agreedAnswer,
  finalBlock,
  newestInRange,
  witnessedAnswer,
  witnessedBlock,
  witnessedFinding,
} from '@bascule/chain';
import type { BlockRange, Chain, EndpointClient, ReportedLog } from '@bascule/chain';
import { intentEscrowAbi, ORDER_STATUSES, parseOrder } from '@bascule/solidity';
import { getAbiItem, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { BridgeTransfer, BridgeTransferStatus } from '../bridge.js';
import { earliestFill, usableStart } from './search-start.js';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Escrow of a chain as of a final block. */
interface FinalEscrow {
  /** Number of the block. */
  number: bigint;
  blocksPerSearch: number | undefined;
  escrow: Address;
}

interface TimedEscrow extends FinalEscrow {
  /** Time of the block in unix seconds. */
  timestamp: bigint;
}

const REFUNDED = getAbiItem({ abi: intentEscrowAbi, name: 'Refunded' });
const FILLED = getAbiItem({ abi: intentEscrowAbi, name: 'Filled' });

/**
 * Reads a transfer's status from the newest final blocks of both chains, by two nodes where several are configured.
 * @throws when nodes disagree, or too few answer
 */
export async function transferStatus(
  transfer: BridgeTransfer,
  { origin, destination }: { origin: Chain; destination: Chain },
): Promise<BridgeTransferStatus> {
  const at = await finalEscrow(origin);
  const status = await witnessedAnswer(
    origin,
    (node) => orderStatus(node, at, transfer.id),
    String,
  );
  if (status === 'UNKNOWN') return { kind: 'unknown' };
  // A refund is the owner's own instruction, so it decides whatever else happened.
  if (status === 'REFUNDED') return refund(origin, at, transfer);
  const there = await finalEscrow(destination);
  const filler = await agreedAnswer(destination, there.number, (node) =>
    fillerOf(node, there, transfer.id),
  );
  if (filler.answer !== zeroAddress) {
    return fill(destination, { ...there, timestamp: filler.timestamp }, transfer);
  }
  const isReleased = status === 'RELEASED';
  if (filler.timestamp <= lastSecond(transfer, isReleased)) return { kind: 'open' };
  return { kind: isReleased ? 'lost' : 'unfilled' };
}

/** Last second, by the destination chain, at which an unfilled transfer is still open. */
const lastSecond = ({ details }: BridgeTransfer, isReleased: boolean): bigint => {
  const { expires, fillDeadline } = parseOrder(details);
  // A release may rest on a fill that the attesters' nodes saw before ours, but not for longer than until `expires`.
  return isReleased ? expires : fillDeadline;
};

export function escrowOn({ name, definition }: Chain): Address {
  const { intentEscrow } = definition.contracts;
  if (!intentEscrow) throw new Error(`${name} has no intent escrow`);
  return intentEscrow;
}

const finalEscrow = async (chain: Chain): Promise<FinalEscrow> => ({
  escrow: escrowOn(chain),
  blocksPerSearch: chain.definition.blocksPerSearch,
  number: (await finalBlock(chain)).number,
});

async function orderStatus(
  node: EndpointClient,
  { number, escrow }: FinalEscrow,
  id: Hex,
): Promise<OrderStatus> {
  const position = await node.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'statusOf',
    args: [id],
    blockNumber: number,
  });
  const status = ORDER_STATUSES[position];
  if (!status) throw new Error(`unknown order status ${position}`);
  return status;
}

/** Reads the filler; the zero address while unfilled. */
const fillerOf = (
  node: EndpointClient,
  { number, escrow }: FinalEscrow,
  id: Hex,
): Promise<Address> =>
  node.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'fillerOf',
    args: [id],
    blockNumber: number,
  });

async function refund(
  chain: Chain,
  { number, escrow, blocksPerSearch }: FinalEscrow,
  { id, details, originFromBlock }: BridgeTransfer,
): Promise<BridgeTransferStatus> {
  const event = { address: escrow, event: REFUNDED, args: { orderId: id }, strict: true } as const;
  const fromBlock = await usableStart(chain, originFromBlock, number, parseOrder(details));
  const log = await witnessedLog(chain, (node) =>
    newestInRange(
      { fromBlock, toBlock: number },
      (part) => node.getLogs({ ...event, ...part }),
      blocksPerSearch,
    ),
  );
  if (!log) throw new Error(`order ${id} is refunded, but its Refunded log was not found`);
  const { recipient, amount, feeReceiver, fee } = log.args;
  return {
    kind: 'refunded',
    recipient,
    amount,
    feeReceiver,
    fee,
    ...(await inBlock(chain, log)),
  };
}

const witnessedLog = <T extends ReportedLog>(
  chain: Chain,
  find: (node: EndpointClient) => Promise<T | undefined>,
): Promise<T | undefined> => witnessedFinding(chain, find, (log) => [log]);

/** Second search range: a halted chain may date its blocks long before the other chain's. */
const FURTHER_BACK = 200_000n;
const furtherBack = (block: bigint): bigint => (block > FURTHER_BACK ? block - FURTHER_BACK : 0n);

async function fill(
  chain: Chain,
  at: TimedEscrow,
  { id, details, destinationFromBlock }: BridgeTransfer,
): Promise<BridgeTransferStatus> {
  const { number, escrow, blocksPerSearch } = at;
  const event = { address: escrow, event: FILLED, args: { orderId: id }, strict: true } as const;
  const search = (range: BlockRange) =>
    witnessedLog(chain, (node) =>
      newestInRange(range, (part) => node.getLogs({ ...event, ...part }), blocksPerSearch),
    );
  const order = parseOrder(details);
  const start = await usableStart(chain, destinationFromBlock, number, order);
  const earliest = earliestFill(chain.definition.blockTimeMs, at, order);
  const fromBlock = start > earliest ? start : earliest;
  const log =
    (await search({ fromBlock, toBlock: number })) ??
    (await search({ fromBlock: furtherBack(fromBlock), toBlock: fromBlock - 1n }));
  if (!log) throw new Error(`order ${id} is filled, but its Filled log was not found`);
  return { kind: 'filled', amount: log.args.amount, ...(await inBlock(chain, log)) };
}

/** Takes the block's time from two nodes, or the only one. */
async function inBlock(
  chain: Chain,
  { transactionHash, blockHash, blockNumber }: ReportedLog,
): Promise<Pick<ReportedLog, 'transactionHash' | 'blockNumber'> & { blockTimestamp: Date }> {
  const { hash, timestamp } = await witnessedBlock(chain, { blockNumber });
  if (hash !== blockHash) throw new Error(`${chain.name} changed during the read`);
  return { transactionHash, blockNumber, blockTimestamp: new Date(Number(timestamp) * 1000) };
}
