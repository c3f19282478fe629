import {
  agreedAnswer,
  finalBlock,
  medianOf,
  testimonyOf,
  witnessedAnswer,
  witnessedMaximum,
} from '@bascule/chain';
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

/** Status of an order in a final block, the block's number, and its time in unix seconds. */
interface FinalStatus {
  status: OriginStatus;
  blockNumber: bigint;
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
  return { status, blockNumber, time: timestamp };
}

/**
 * Reads the order's filler from the destination's newest block, as two nodes say alike; null while unfilled.
 * @throws when no two agree, or none answers
 */
export async function currentFiller(
  chain: Chain,
  escrow: Address,
  id: Hex,
): Promise<Address | null> {
  const filler = await witnessedAnswer(
    chain,
    (node) =>
      node.readContract({
        address: escrow,
        abi: intentEscrowAbi,
        functionName: 'fillerOf',
        args: [id],
      }),
    String,
  );
  return isAddressEqual(filler, zeroAddress) ? null : filler;
}

/**
 * Reads the time that the newest blocks of two nodes have reached, in unix seconds.
 * @throws when too few nodes answer
 */
export async function currentTime(chain: Chain): Promise<bigint> {
  const time = await witnessedMaximum(chain, async (node) => {
    const { timestamp } = await node.getBlock({ blockTag: 'latest' });
    return Number(timestamp);
  });
  return BigInt(time);
}

/**
 * True when two nodes say that the oracle has recorded an outcome of the order; a repeated attestation does no harm.
 * @throws when no node answers
 */
export async function isAttested(chain: Chain, { oracle }: Order, id: Hex): Promise<boolean> {
  const testimony = await testimonyOf(chain, async (node) => {
    const [outcome] = await node.readContract({
      address: oracle,
      abi: attesterOracleAbi,
      functionName: 'outcomeOf',
      args: [id],
    });
    return outcome !== FILL_OUTCOMES.unknown;
  });
  return testimony === 'witnessed';
}

/**
 * Reads how much of a token the escrow accepts in one more order: the nodes' median.
 * @param middle of two nodes: the lower amount to quote, the higher one to refuse
 * @throws when no node answers
 */
export async function escrowRoom(
  chain: Chain,
  escrow: Address,
  token: Address,
  middle: 'lower' | 'higher',
): Promise<bigint> {
  const contract = { address: escrow, abi: intentEscrowAbi, args: [token] } as const;
  return medianOf(
    chain,
    async (node) => {
      const [orderCap, outstandingCap, outstanding] = await Promise.all([
        node.readContract({ ...contract, functionName: 'orderCap' }),
        node.readContract({ ...contract, functionName: 'outstandingCap' }),
        node.readContract({ ...contract, functionName: 'outstanding' }),
      ]);
      const room = outstandingCap - outstanding;
      return orderCap < room ? orderCap : room;
    },
    middle,
  );
}
