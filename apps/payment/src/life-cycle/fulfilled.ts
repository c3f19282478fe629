import { formatAmount } from '@bascule/amounts';
import type {
  AssetIdentifier,
  FulfilledStep,
  FulfilledStepStatus,
  RouteAccount,
  RouteChange,
  RouteStep,
  TokenIdentifier,
} from '@bascule/contracts';
import { decimalsOf, transactionOf } from './payment-record.js';
import { depositOrigins, isHandFed } from './bought-deposits.js';
import type { Deposit, Leg, LegStatus, LegTransfer, PaymentRecord } from './payment-record.js';
import { reportedStatus } from './transitions.js';
import { isWalletRefund } from './wallet-refunds.js';

/**
 * The quoted route with the amounts of settled steps in place of the quoted ones. Tokens sent by hand to an onramp's
 * wallet are a `USER_FUND` step before that of the onramp, or in its place where they fund the payment.
 */
export function fulfilledRoute(payment: PaymentRecord): FulfilledStep[] {
  let legIndex = -1;
  const steps = payment.quoted.route.flatMap((step) => {
    if (step.type !== 'ONCHAIN_STEP') return fundingSteps(payment, step);
    legIndex += 1;
    return [legStep(payment, step, payment.legs[legIndex])];
  });
  return steps.map((step, step_index) => ({ ...step, step_index }));
}

function fundingSteps(payment: PaymentRecord, step: RouteStep): FulfilledStep[] {
  const { bought, sent } = depositOrigins(payment);
  const status = fundingStatus(payment);
  const byHand = { ...step, ...USER_FUND };
  if (step.type !== 'ONRAMP' || isHandFed(payment)) return [fundingStep(byHand, sent, status)];
  const ramp = fundingStep(step, bought, status);
  return sent.length === 0 ? [ramp] : [fundingStep(byHand, sent, 'COMPLETE'), ramp];
}

function fundingStep(
  step: RouteStep,
  deposits: readonly Deposit[],
  status: FulfilledStepStatus,
): FulfilledStep {
  const last = deposits.at(-1);
  // After a reorg a started payment may have no deposit until it is mined again.
  if (last === undefined) return { ...step, status: status === 'COMPLETE' ? 'PENDING' : status };
  const arrived = deposits.map((deposit) =>
    change(
      'SPW',
      deposit.token,
      formatAmount(deposit.amount, deposit.decimals),
      deposit.sum === undefined ? (transactionOf(deposit) ?? undefined) : undefined,
    ),
  );
  // Fiat has no transaction: the customer's side stays as quoted.
  const consume =
    step.type === 'ONRAMP'
      ? step.net_effect.consume
      : arrived.map((entry): RouteChange => ({ ...entry, account: 'USER' }));
  const transaction_hash = transactionOf(last);
  return {
    ...step,
    net_effect: { consume, produce: arrived },
    status,
    ...(transaction_hash !== null && { transaction_hash }),
  };
}

const USER_FUND: Pick<RouteStep, 'type' | 'pieces_info'> = {
  type: 'USER_FUND',
  pieces_info: [{ type: 'user_fund' }],
};

function fundingStatus(payment: PaymentRecord): FulfilledStepStatus {
  // A withdrawal clears `fundedInFullAt`, and a leg that it interrupted may pay out after a reorg.
  const isSpent = payment.legs.some(({ settlement }) => settlement !== null);
  if (payment.fundedInFullAt !== null || isSpent) return 'COMPLETE';
  return reportedStatus(payment, false) === 'PENDING' ? 'PENDING' : 'FAILED';
}

const STEP_STATUS: Readonly<Record<LegStatus, FulfilledStepStatus>> = {
  PENDING: 'PENDING',
  EXECUTING: 'PENDING',
  BRIDGING: 'PENDING',
  ATTEMPT_FAILED: 'ATTEMPT_FAILED',
  COMPLETE: 'COMPLETE',
  FAILED: 'FAILED',
  UNREACHABLE: 'UNREACHABLE',
};

function legStep(payment: PaymentRecord, step: RouteStep, leg: Leg | undefined): FulfilledStep {
  if (leg === undefined) return { ...step, status: 'PENDING' };
  const isUnfunded = fundingStatus(payment) === 'FAILED';
  const status = isUnfunded ? 'UNREACHABLE' : STEP_STATUS[leg.status];
  const settled = settledEffect(payment, leg);
  const net_effect = settled ? withCustomEffects(settled, step, leg) : step.net_effect;
  const shown = { ...step, net_effect, status };
  return leg.transactionHash === null ? shown : { ...shown, transaction_hash: leg.transactionHash };
}

type Effect = RouteStep['net_effect'];

/** Adds the allowances and other effects of custom actions, which a settled leg made as quoted. */
function withCustomEffects(settled: Effect, { net_effect }: RouteStep, leg: Leg): Effect {
  const tx = leg.transactionHash === null ? {} : { tx_id: leg.transactionHash };
  const custom = net_effect.produce
    .filter(({ resource }) => resource.property !== 'BALANCE')
    .map((entry) => ({ ...entry, ...tx }));
  return { ...settled, produce: [...settled.produce, ...custom] };
}

/** Net effect of a settled leg; conserves every asset but the two of a conversion. */
function settledEffect(payment: PaymentRecord, leg: Leg): Effect | null {
  const planned = payment.plan.legs[leg.index];
  const { settlement, transactionHash } = leg;
  if (settlement === null || planned === undefined) return null;
  const tx = transactionHash ?? undefined;
  const entry = (account: RouteAccount, token: TokenIdentifier, units: bigint): RouteChange =>
    change(account, token, formatAmount(units, decimalsOf(payment, token)), tx);

  const fees = planned.fees
    .map((fee, index) => ({ kind: fee.kind, paid: settlement.fees[index] ?? 0n }))
    .filter(({ paid }) => paid > 0n);
  const feeTotal = fees.reduce((sum, { paid }) => sum + paid, 0n);
  const isBridged = planned.bridge !== undefined;
  const consume = [entry('SPW', planned.input_token, settlement.input + feeTotal)];
  const produce = [
    entry(isBridged ? 'BRIDGE' : 'DEST', planned.output_token, settlement.output),
    ...fees.map(({ kind, paid }) =>
      entry(kind === 'network' ? 'SERVICE' : 'REV_SHARE', planned.input_token, paid),
    ),
  ];
  if (isBridged && planned.input_token !== planned.output_token) {
    const intermediate = entry('SPW', planned.output_token, settlement.output);
    consume.push(intermediate);
    produce.push(intermediate);
  }
  const delivered = deliveredEffect(payment, leg);
  return {
    consume: [...consume, ...delivered.consume],
    produce: [...produce, ...delivered.produce],
  };
}

/** Delivery of the bridge: as quoted while the transfer is open, empty once it cannot be delivered. */
function deliveredEffect(payment: PaymentRecord, { index, transfer }: Leg): Effect {
  const token = payment.plan.legs[index + 1]?.input_token;
  const quoted = payment.plan.legs[index]?.bridge?.delivered_amount;
  if (token === undefined || quoted === undefined) return NOTHING;
  if (transfer !== null && NEVER_DELIVERED.has(transfer.status)) {
    return refundedEffect(payment, transfer);
  }
  const filled = transfer?.filled;
  const amount = formatAmount(filled?.amount ?? BigInt(quoted), decimalsOf(payment, token));
  const side = (account: RouteAccount) => change(account, token, amount, filled?.transactionHash);
  return { consume: [side('BRIDGE')], produce: [side('SPW')] };
}

/** Refund to the wallet; one to another recipient is a withdrawal. */
function refundedEffect(payment: PaymentRecord, { transfer, refunded }: LegTransfer): Effect {
  if (!isWalletRefund(payment, refunded)) return NOTHING;
  const { inputToken: token } = transfer;
  const amount = formatAmount(refunded.amount, decimalsOf(payment, token));
  const side = (account: RouteAccount) => change(account, token, amount, refunded.transactionHash);
  return { consume: [side('BRIDGE')], produce: [side('SPW')] };
}

const NEVER_DELIVERED: ReadonlySet<LegTransfer['status']> = new Set([
  'UNFILLED',
  'REFUNDED',
  'LOST',
]);
const NOTHING: Effect = { consume: [], produce: [] };

function change(
  account: RouteAccount,
  asset: AssetIdentifier,
  amount: string,
  transaction: string | undefined,
): RouteChange {
  const resource = { asset, property: 'BALANCE' } as const;
  return {
    account,
    resource,
    amount,
    ...(transaction === undefined ? {} : { tx_id: transaction }),
  };
}
