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

/** What became of an order's money, and the time of the block that says so, in unix seconds. */
interface FinalStatus {
  status: OriginStatus;
  time: bigint;
}

/**
 * As of the origin's newest final block, of which its endpoints have to say the same: whoever controls one of them
 * could have us fill what is not there.
 * @throws when they do not agree, or too few of them answer
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
  if (!status) throw new Error(`the escrow says a status ${answer}`);
  return { status, time: timestamp };
}

/** Who has filled an order, as the destination has it now; null while nobody has. */
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

/** The time of the newest block, in unix seconds. */
export async function currentTime({ client }: Chain): Promise<bigint> {
  const { timestamp } = await client.getBlock({ blockTag: 'latest' });
  return timestamp;
}

/** Whether the oracle has had its say about an order. */
export async function isAttested({ client }: Chain, { oracle }: Order, id: Hex): Promise<boolean> {
  const [outcome] = await client.readContract({
    address: oracle,
    abi: attesterOracleAbi,
    functionName: 'outcomeOf',
    args: [id],
  });
  return outcome !== FILL_OUTCOMES.unknown;
}

/** What the escrow still takes of a token. */
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
