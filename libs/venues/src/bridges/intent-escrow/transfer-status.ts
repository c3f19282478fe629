import {
  agreedAnswer,
  finalBlock,
  newestInRange,
  witnessedAnswer,
  witnessedFinding,
} from '@bascule/chain';
import type { BlockRange, Chain, EndpointClient, FinalBlock, ReportedLog } from '@bascule/chain';
import { intentEscrowAbi, ORDER_STATUSES, parseOrder } from '@bascule/solidity';
import { getAbiItem, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { BridgeTransfer, BridgeTransferStatus } from '../bridge.js';
import { blockBefore } from './block-before.js';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Escrow of a chain as of a final block. */
interface FinalEscrow {
  block: FinalBlock;
  blocksPerSearch: number | undefined;
  escrow: Address;
}

const REFUNDED = getAbiItem({ abi: intentEscrowAbi, name: 'Refunded' });
const FILLED = getAbiItem({ abi: intentEscrowAbi, name: 'Filled' });

/** Reads a transfer's status from the newest final blocks of both chains. */
export async function transferStatus(
  transfer: BridgeTransfer,
  { origin, destination }: { origin: Chain; destination: Chain },
): Promise<BridgeTransferStatus> {
  const { id, originFromBlock } = transfer;
  const at = await finalEscrow(origin);
  const status = await statusOf(origin, at, id);
  if (status === 'UNKNOWN') return { kind: 'unknown' };
  // A refund is the owner's own instruction, so it decides whatever else happened.
  if (status === 'REFUNDED') return refund(origin, at, id, originFromBlock);
  const there = await finalEscrow(destination);
  if (await isFilled(destination, there, id))
    return fill(destination, there, id, await fillSearchStart(transfer, destination, there.block));
  const isReleased = status === 'RELEASED';
  const end = lastSecond(transfer, isReleased);
  const { timestamp } = await there.block.node.getBlock({ blockNumber: there.block.number });
  if (timestamp <= end) return { kind: 'open' };
  // A status that ends a payment needs agreement of several nodes.
  if (isReleased) {
    const { answer } = await agreedAnswer(origin, at.block.number, (node) =>
      orderStatus(node, at, id),
    );
    if (answer !== status) throw new Error(`${origin.name} changed during the read`);
  }
  const agreed = await agreedAnswer(destination, there.block.number, (node) =>
    fillerOf(node, there, id),
  );
  if (agreed.answer !== zeroAddress || agreed.timestamp <= end) {
    throw new Error(`${destination.name} changed during the read`);
  }
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
  block: await finalBlock(chain),
});

async function orderStatus(
  node: EndpointClient,
  { block, escrow }: FinalEscrow,
  id: Hex,
): Promise<OrderStatus> {
  const position = await node.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'statusOf',
    args: [id],
    blockNumber: block.number,
  });
  const status = ORDER_STATUSES[position];
  if (!status) throw new Error(`unknown order status ${position}`);
  return status;
}

/** Reads the status by one node, and by two where that one says that the order is over, or unknown. */
async function statusOf(chain: Chain, at: FinalEscrow, id: Hex): Promise<OrderStatus> {
  const status = await orderStatus(at.block.node, at, id);
  if (status !== 'REFUNDED' && status !== 'UNKNOWN') return status;
  return witnessedAnswer(chain, (node) => orderStatus(node, at, id), String);
}

/** Two nodes must say so. */
async function isFilled(chain: Chain, at: FinalEscrow, id: Hex): Promise<boolean> {
  if ((await fillerOf(at.block.node, at, id)) === zeroAddress) return false;
  const filler = await witnessedAnswer(chain, (node) => fillerOf(node, at, id), String);
  return filler !== zeroAddress;
}

/** Reads the filler; the zero address while unfilled. */
const fillerOf = (
  node: EndpointClient,
  { block, escrow }: FinalEscrow,
  id: Hex,
): Promise<Address> =>
  node.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'fillerOf',
    args: [id],
    blockNumber: block.number,
  });

async function refund(
  chain: Chain,
  { block, escrow, blocksPerSearch }: FinalEscrow,
  id: Hex,
  fromBlock: bigint,
): Promise<BridgeTransferStatus> {
  const event = { address: escrow, event: REFUNDED, args: { orderId: id }, strict: true } as const;
  const log = await witnessedLog(chain, (node) =>
    newestInRange(
      { fromBlock, toBlock: block.number },
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
    ...(await inBlock(block, log)),
  };
}

const witnessedLog = <T extends ReportedLog>(
  chain: Chain,
  find: (node: EndpointClient) => Promise<T | undefined>,
): Promise<T | undefined> => witnessedFinding(chain, find, (log) => [log]);

/** Second search range: a halted chain may date its blocks long before the other chain's. */
const FURTHER_BACK = 200_000n;
const furtherBack = (block: bigint): bigint => (block > FURTHER_BACK ? block - FURTHER_BACK : 0n);

/** Search before the fill deadline where the stored start is unusable: longer than any escrow's fill window. */
const FILL_SEARCH_SECONDS = 7n * 86_400n;

/** Returns the stored start of the search, or one by block times where a lying node has set it above final blocks. */
async function fillSearchStart(
  { details, destinationFromBlock }: BridgeTransfer,
  chain: Chain,
  { number }: FinalBlock,
): Promise<bigint> {
  if (destinationFromBlock <= number) return destinationFromBlock;
  const { fillDeadline } = parseOrder(details);
  const found = await blockBefore(chain, fillDeadline - FILL_SEARCH_SECONDS);
  return found <= number ? found : number;
}

async function fill(
  chain: Chain,
  { block, escrow, blocksPerSearch }: FinalEscrow,
  id: Hex,
  fromBlock: bigint,
): Promise<BridgeTransferStatus> {
  const event = { address: escrow, event: FILLED, args: { orderId: id }, strict: true } as const;
  const search = (range: BlockRange) =>
    witnessedLog(chain, (node) =>
      newestInRange(range, (part) => node.getLogs({ ...event, ...part }), blocksPerSearch),
    );
  const log =
    (await search({ fromBlock, toBlock: block.number })) ??
    (await search({ fromBlock: furtherBack(fromBlock), toBlock: fromBlock - 1n }));
  if (!log) throw new Error(`order ${id} is filled, but its Filled log was not found`);
  return { kind: 'filled', amount: log.args.amount, ...(await inBlock(block, log)) };
}

async function inBlock(
  { node }: FinalBlock,
  { transactionHash, blockNumber }: { transactionHash: Hex; blockNumber: bigint },
) {
  const { timestamp } = await node.getBlock({ blockNumber });
  return { transactionHash, blockNumber, blockTimestamp: new Date(Number(timestamp) * 1000) };
}
