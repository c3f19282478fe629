import { ZERO_ADDRESS } from '@bascule/chain';
import { ORDER_STATUSES } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import type { Address } from 'viem';
import { Refusal } from './refusal.js';

export type AttestedOutcome = { outcome: 'FILLED' | 'UNFILLED'; filler: Address };

/** State of an order in a final block of the destination chain. */
interface DestinationFacts {
  /** Zero address while unfilled. */
  filler: Address;
  /** Time of the block, in unix seconds. */
  timestamp: bigint;
}

const OPEN = ORDER_STATUSES.indexOf('OPEN');
const UNKNOWN = ORDER_STATUSES.indexOf('UNKNOWN');

/**
 * @param status as a final block of the origin chain holds it
 * @throws Refusal unless the order is open
 */
export function requireOpen(status: number, retryAfterMs: number): void {
  if (status === OPEN) return;
  if (status === UNKNOWN) {
    throw new Refusal('not_open', 'The order was not found in a final block.', retryAfterMs);
  }
  throw new Refusal('not_open', 'The order was released or refunded.');
}

/**
 * Decides the outcome: filled once a final block has the fill, unfilled once no later block can have one.
 * @throws Refusal while neither is certain
 */
export function attestedOutcome(
  order: Order,
  { filler, timestamp }: DestinationFacts,
  blockTimeMs: number,
): AttestedOutcome {
  if (filler !== ZERO_ADDRESS) return { outcome: 'FILLED', filler };
  if (timestamp > order.fillDeadline) return { outcome: 'UNFILLED', filler: ZERO_ADDRESS };
  throw new Refusal('not_final', 'The order is not filled and may still be.', blockTimeMs);
}
