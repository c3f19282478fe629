import { NodesUnavailableError, answerOf, answersOfNodes, witnessesNeeded } from '@bascule/chain';
import type { Chain, ChainView } from '@bascule/chain';
import { ORDER_STATUSES, attesterOracleAbi, intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { parseAbi } from 'viem';
import type { Address } from 'viem';
import { isWithdrawable, refundability } from './refundability.js';
import type { OrderState, Refundability } from './refundability.js';

const clockAbi = parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']);

/**
 * Reads an order's state on its origin chain, every field from the same newest block. Asks one node, and all of several
 * where its word is not enough or it gives none: two must say the same. The only one that answers refuses nothing.
 * @param isEnough tells by what the order is whether one node's word is enough; default: where attesters decide
 * @throws NodesUnavailableError when nodes disagree, or too few answer
 */
export async function readOrderState(
  chain: Chain,
  escrow: Address,
  order: Order,
  isEnough: (found: Refundability) => boolean = (found) => isForAttesters(order, found),
): Promise<OrderState> {
  const ask = (view: ChainView) => stateIn(view, escrow, order);
  const isAlone = chain.endpoints.length === 1;
  try {
    const first = await ask(chain.anyNode);
    if (isAlone || isEnough(refundability(order, first))) return first;
  } catch (error) {
    if (isAlone) throw error;
  }
  const said = await answersOfNodes(chain, ask);
  const agreed = answerOf(witnessesNeeded(chain), said, (state) => keyOf(order, state));
  if (agreed !== undefined) return agreed;
  const [first, second] = said;
  if (first !== undefined && second === undefined && refusesNothing(refundability(order, first)))
    return first;
  throw new NodesUnavailableError(
    `nodes of ${chain.name} disagree about an order, or too few answered`,
  );
}

/** Attesters are asked about such an order; once it expired by our clock, it needs none of them. */
const isForAttesters = ({ expires }: Order, { kind }: Refundability): boolean =>
  kind === 'unattested' && BigInt(Math.floor(Date.now() / 1_000)) < expires;

const refusesNothing = (found: Refundability): boolean =>
  isWithdrawable(found) && found.kind !== 'early';

/** Names all that is concluded from a state. */
const keyOf = ({ fillDeadline, expires }: Order, { status, outcome, now }: OrderState): string =>
  [status, outcome, now > fillDeadline, now >= expires].join();

async function stateIn(
  { client, definition }: ChainView,
  escrow: Address,
  order: Order,
): Promise<OrderState> {
  const id = orderId(order, escrow);
  const [position, [outcome], now] = await client.multicall({
    allowFailure: false,
    contracts: [
      { address: escrow, abi: intentEscrowAbi, functionName: 'statusOf', args: [id] },
      { address: order.oracle, abi: attesterOracleAbi, functionName: 'outcomeOf', args: [id] },
      {
        address: definition.contracts.multicall3,
        abi: clockAbi,
        functionName: 'getCurrentBlockTimestamp',
      },
    ],
  });
  const status = ORDER_STATUSES[position];
  if (status === undefined) throw new Error(`unknown order status ${position}`);
  return { status, outcome, now };
}
