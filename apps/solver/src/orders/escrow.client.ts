import { agreedAnswer, finalBlock } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import {
  attesterOracleAbi,
  FILL_OUTCOMES,
  intentEscrowAbi,
  ORDER_STATUSES,
} from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { isAddressEqual, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';

type OriginStatus = (typeof ORDER_STATUSES)[number];

/** Status of an order in a final block, and the block's time in unix seconds. */
interface FinalStatus {
  status: OriginStatus;
  time: bigint;
}

/**
 * Reads an order's status from the origin's newest final block. Most of its endpoints must agree: one malicious endpoint could
 * otherwise make us fill an order that does not exist.
 * @throws when the endpoints disagree, or too few of them answer
 */
export async function finalStatus(chain: Chain, escrow: Address, id: Hex): Promise<FinalStatus> {
  const { number: blockNumber } = await finalBlock(chain);
  const { answer, timestamp } = await agreedAnswer(chain, blockNumber, (node) =>
    node.readContract({
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'statusOf',
      args: [id],
      blockNumber,
    }),
  );
  const status = ORDER_STATUSES[answer];
  if (!status) throw new Error(`unknown order status ${answer}`);
  return { status, time: timestamp };
}

/** Reads the order's filler from the destination's newest block; null while unfilled. */
export async function currentFiller(
  { client }: Chain,
  escrow: Address,
  id: Hex,
): Promise<Address | null> {
  const filler = await client.readContract({
    address: escrow,
    abi: intentEscrowAbi,
    functionName: 'fillerOf',
    args: [id],
  });
  return isAddressEqual(filler, zeroAddress) ? null : filler;
}

/** Reads the time of the newest block, in unix seconds. */
export async function currentTime({ client }: Chain): Promise<bigint> {
  const { timestamp } = await client.getBlock({ blockTag: 'latest' });
  return timestamp;
}

/** True when the oracle has recorded an outcome of the order. */
export async function isAttested({ client }: Chain, { oracle }: Order, id: Hex): Promise<boolean> {
  const [outcome] = await client.readContract({
    address: oracle,
    abi: attesterOracleAbi,
    functionName: 'outcomeOf',
    args: [id],
  });
  return outcome !== FILL_OUTCOMES.unknown;
}

/** Reads how much of a token the escrow still accepts. */
export async function escrowRoom(
  { client }: Chain,
  escrow: Address,
  token: Address,
): Promise<{ orderCap: bigint; outstandingRoom: bigint }> {
  const contract = { address: escrow, abi: intentEscrowAbi } as const;
  const [orderCap, outstandingCap, outstanding] = await Promise.all([
    client.readContract({ ...contract, functionName: 'orderCap', args: [token] }),
    client.readContract({ ...contract, functionName: 'outstandingCap', args: [token] }),
    client.readContract({ ...contract, functionName: 'outstanding', args: [token] }),
  ]);
  return { orderCap, outstandingRoom: outstandingCap - outstanding };
}
