import type { Leg as DeclaredLeg } from '@bascule/solidity';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/** Bound of legs that were planned without a limit, by an older version; every leg of ours needs less. */
const UNPLANNED_MAX_GAS = 2_000_000n;

/**
 * Gas that a leg may use. Tokens, venues and destinations are foreign code: what they burn is ours up to this limit.
 * Custom actions get their limit whole, since estimates of nested calls fall short; other legs get their estimate.
 */
export function legGasBounds(
  { plan }: Pick<PaymentRecord, 'plan'>,
  legIndex: number,
  { customCalls }: Pick<DeclaredLeg, 'customCalls'>,
): { gasLimit: bigint } | { maxGas: bigint } {
  const planned = plan.legs[legIndex]?.gas_limit;
  const limit = planned === undefined ? UNPLANNED_MAX_GAS : BigInt(planned);
  return customCalls.length > 0 ? { gasLimit: limit } : { maxGas: limit };
}

/**
 * Most that one transaction of a leg may cost, in wei: `factor` times the cost that its network fee repays, which was quoted
 * in wei, too. Nothing for plans of older versions, which only their gas limit bounds.
 */
export function legCostBound(
  { plan }: Pick<PaymentRecord, 'plan'>,
  legIndex: number,
  factor: bigint,
): { maxCost?: bigint } {
  const repaid = plan.legs[legIndex]?.gas_cost;
  return repaid === undefined ? {} : { maxCost: factor * BigInt(repaid) };
}
