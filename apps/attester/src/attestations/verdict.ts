import { ZERO_ADDRESS } from '@bascule/chain';
import { ORDER_STATUSES } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import type { Address } from 'viem';
import { Refusal } from './refusal.js';

export type Verdict = { outcome: 'FILLED' | 'UNFILLED'; filler: Address };

/** What a final block of the destination chain says. */
interface DestinationFacts {
  /** Zero while nobody has filled the order. */
  filler: Address;
  /** Of the block, in unix seconds. */
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
    throw new Refusal('not_open', 'No final block has this order.', retryAfterMs);
  }
  throw new Refusal('not_open', 'The order has been released or refunded.');
}

/**
 * A fill counts once it is in a final block. That there is none counts once no later block can have one.
 * @throws Refusal while neither is certain
 */
export function verdictOn(
  order: Order,
  { filler, timestamp }: DestinationFacts,
  blockTimeMs: number,
): Verdict {
  if (filler !== ZERO_ADDRESS) return { outcome: 'FILLED', filler };
  if (timestamp > order.fillDeadline) return { outcome: 'UNFILLED', filler: ZERO_ADDRESS };
  throw new Refusal('not_final', 'It is not filled, and may still be.', blockTimeMs);
}
