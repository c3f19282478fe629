import { FILL_OUTCOMES } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import type { OrderStatus } from './transfer-status.js';

/** State of an order on its origin chain. */
export interface OrderState {
  status: OrderStatus;
  /** Outcome that the oracle has recorded. */
  outcome: number;
  /** The block's timestamp. */
  now: bigint;
}

export type Refundability =
  /** Recorded as unfilled by the oracle. */
  | { kind: 'refundable' }
  /** Expired without an outcome: no attestation is needed any more. */
  | { kind: 'expired' }
  /** Past its fill deadline: the oracle has to record it as unfilled. */
  | { kind: 'unattested' }
  /** Before its fill deadline. */
  | { kind: 'early'; from: bigint }
  | { kind: 'filled' }
  | { kind: 'refunded' }
  | { kind: 'unknown' };

/** Applies the escrow's own rule. */
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

/** True when the order's money is, or may become, the owner's again. */
export const isWithdrawable = ({ kind }: Refundability): boolean =>
  kind === 'refundable' || kind === 'expired' || kind === 'unattested' || kind === 'early';
