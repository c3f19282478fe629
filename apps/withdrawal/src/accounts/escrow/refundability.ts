import { FILL_OUTCOMES } from '@bascule/solidity';
import type { ORDER_STATUSES, Order } from '@bascule/solidity';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How the escrow's chain sees an order. */
export interface OrderState {
  status: OrderStatus;
  /** As its oracle answers. */
  outcome: number;
  /** The block's timestamp. */
  now: bigint;
}

export type Refundability =
  /** The oracle has said that it was not filled. */
  | { kind: 'refundable' }
  /** The oracle is silent, and its word no longer needed. */
  | { kind: 'expired' }
  /** Too late to fill it, but the oracle has to say that nobody did. */
  | { kind: 'unattested' }
  /** It may still be filled. */
  | { kind: 'early'; from: bigint }
  | { kind: 'filled' }
  | { kind: 'refunded' }
  | { kind: 'unknown' };

/** As the escrow itself decides. */
export function refundability(
  { fillDeadline, expires }: Pick<Order, 'fillDeadline' | 'expires'>,
  { status, outcome, now }: OrderState,
): Refundability {
  if (status === 'UNKNOWN') return { kind: 'unknown' };
  if (status === 'REFUNDED') return { kind: 'refunded' };
  if (status === 'RELEASED' || outcome === FILL_OUTCOMES.filled) return { kind: 'filled' };
  if (now <= fillDeadline) return { kind: 'early', from: fillDeadline + 1n };
  if (outcome === FILL_OUTCOMES.unfilled) return { kind: 'refundable' };
  return { kind: now >= expires ? 'expired' : 'unattested' };
}

/** Whether the order's money is, or may become, the owner's again. */
export const isWithdrawable = ({ kind }: Refundability): boolean =>
  kind === 'refundable' || kind === 'expired' || kind === 'unattested' || kind === 'early';
