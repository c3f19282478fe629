import { finalBlock } from '@bascule/chain';
import type { Chain, FinalBlock } from '@bascule/chain';
import { intentEscrowAbi, ORDER_STATUSES } from '@bascule/solidity';
import { getAbiItem, isAddressEqual, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { BridgeTransfer, BridgeTransferStatus } from '../bridge.js';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** A chain's escrow as of a final block. */
interface FinalEscrow {
  block: FinalBlock;
  escrow: Address;
}

const REFUNDED = getAbiItem({ abi: intentEscrowAbi, name: 'Refunded' });
const FILLED = getAbiItem({ abi: intentEscrowAbi, name: 'Filled' });

export async function transferStatus(
  { id, originFromBlock, destinationFromBlock, fillDeadline }: BridgeTransfer,
  { origin, destination }: { origin: Chain; destination: Chain },
): Promise<BridgeTransferStatus> {
  const at = await finalEscrow(origin);
  const status = await orderStatus(at, id);
  if (status === 'UNKNOWN') return { kind: 'unknown' };
  // Where somebody was paid back, the owner has ended it, whatever else happened.
  if (status === 'REFUNDED') return refund(at, id, originFromBlock);
  const there = await finalEscrow(destination);
  if (await isFilled(there, id)) return fill(there, id, destinationFromBlock);
  // Released on the word of attesters whose nodes are ahead of ours.
  if (status === 'RELEASED') return { kind: 'open' };
  const { timestamp } = await there.block.node.getBlock({ blockNumber: there.block.number });
  const isOver = timestamp * 1000n > BigInt(fillDeadline.getTime());
  return { kind: isOver ? 'unfilled' : 'open' };
}

export function escrowOn({ name, definition }: Chain): Address {
  const { intentEscrow } = definition.contracts;
  if (!intentEscrow) throw new Error(`${name} has no intent escrow`);
  return intentEscrow;
}

const finalEscrow = async (chain: Chain): Promise<FinalEscrow> => ({
  escrow: escrowOn(chain),
  block: await finalBlock(chain),
});

async function orderStatus({ block, escrow }: FinalEscrow, id: Hex): Promise<OrderStatus> {
  const position = await block.node.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'statusOf',
    args: [id],
    blockNumber: block.number,
  });
  const status = ORDER_STATUSES[position];
  if (!status) throw new Error(`the escrow says a status ${position}`);
  return status;
}

async function isFilled({ block, escrow }: FinalEscrow, id: Hex): Promise<boolean> {
  const filler = await block.node.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'fillerOf',
    args: [id],
    blockNumber: block.number,
  });
  return !isAddressEqual(filler, zeroAddress);
}

async function refund(
  { block, escrow }: FinalEscrow,
  id: Hex,
  fromBlock: bigint,
): Promise<BridgeTransferStatus> {
  const [log] = await block.node.getLogs({
    address: escrow,
    event: REFUNDED,
    args: { orderId: id },
    fromBlock,
    toBlock: block.number,
    strict: true,
  });
  if (!log) throw new Error(`order ${id} is refunded, but no log of it is found`);
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

async function fill(
  { block, escrow }: FinalEscrow,
  id: Hex,
  fromBlock: bigint,
): Promise<BridgeTransferStatus> {
  const [log] = await block.node.getLogs({
    address: escrow,
    event: FILLED,
    args: { orderId: id },
    fromBlock,
    toBlock: block.number,
    strict: true,
  });
  if (!log) throw new Error(`order ${id} is filled, but no log of it is found`);
  return { kind: 'filled', amount: log.args.amount, ...(await inBlock(block, log)) };
}

async function inBlock(
  { node }: FinalBlock,
  { transactionHash, blockNumber }: { transactionHash: Hex; blockNumber: bigint },
) {
  const { timestamp } = await node.getBlock({ blockNumber });
  return { transactionHash, blockNumber, blockTimestamp: new Date(Number(timestamp) * 1000) };
}
