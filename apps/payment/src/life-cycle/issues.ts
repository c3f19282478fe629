import { formatAmount, maxAmount, minAmount } from '@bascule/amounts';
import type { FundingIssue, Issue, ParkedFundIssue } from '@bascule/contracts';
import { depositsOfToken, isLate, requiredDeposit } from './funding.js';
import type { PaymentRecord, WalletHolding } from './payment-record.js';
import type { PaymentPolicy } from './policy.js';
import { isDust } from './policy.js';
import type { StoredStatus } from './transitions.js';
import { reportedStatus } from './transitions.js';
import { holdings } from './wallet-ledger.js';

type Classification = ParkedFundIssue['classification'];
type Share = [Classification, bigint];

/** What the owner should know about the money that is in the wallet and not on its way. */
export function issuesOf(payment: PaymentRecord, policy: PaymentPolicy, now: Date): Issue[] {
  const parkedFunds = holdings(payment).flatMap((holding): Issue[] => {
    if (holding.token !== payment.plan.deposit.token) {
      return [fundingIssue(holding), parked(payment, holding, 'MISSENT', policy)];
    }
    return shares(payment, holding.amount, policy, now)
      .filter(([, amount]) => amount > 0n)
      .map(([classification, amount]) =>
        parked(payment, { ...holding, amount }, classification, policy),
      );
  });
  return [...orderIssues(payment), ...parkedFunds];
}

/** Why the provider will not deliver, in its own words. */
function orderIssues({ checkout }: PaymentRecord): Issue[] {
  if (checkout === null || !(checkout.status === 'FAILED' || checkout.status === 'REFUNDED')) {
    return [];
  }
  const reason = checkout.failure ?? `The order is ${checkout.status.toLowerCase()}.`;
  return [{ kind: 'provider', message: `${checkout.provider}: ${reason}` }];
}

/** How the deposit token's balance divides: the part the payment was to use, and the rest. */
function shares(payment: PaymentRecord, held: bigint, policy: PaymentPolicy, now: Date): Share[] {
  const status = reportedStatus(payment, false);
  if (status === 'COMPLETE') return [['EXTRA', held]];
  if (payment.fundedInFullAt === null) return unusedShares(payment, held);
  const used = minAmount(held, leftToUse(payment));
  const extra: Share = ['EXTRA', held - used];
  if (status !== 'PENDING') return [[stuckAs(status, payment), used], extra];
  const isStalled = now.getTime() - payment.fundedInFullAt.getTime() > policy.stalledAfterMs;
  return isStalled ? [['STALLED', used], extra] : [extra];
}

/** What came too late, or after the executor's rights had ended, is told apart from what was too little. */
function unusedShares(payment: PaymentRecord, held: bigint): Share[] {
  if (reportedStatus(payment, false) === 'WITHDRAWN') return [['EXTRA', held]];
  const late = depositsOfToken(payment)
    .filter((deposit) => isLate(payment, deposit))
    .reduce((sum, { amount }) => sum + amount, 0n);
  const delayed = minAmount(held, late);
  const inTime = held - delayed;
  return [
    [inTime >= requiredDeposit(payment) ? 'STUCK' : 'UNDERFUNDED', inTime],
    ['DELAYED', delayed],
  ];
}

/** What the first leg was to take: at most its bound, at least what was asked for. */
function leftToUse(payment: PaymentRecord): bigint {
  const first = payment.plan.legs[0];
  if (first === undefined || payment.legs[0]?.status === 'COMPLETE') return 0n;
  return maxAmount(BigInt(first.max_input), requiredDeposit(payment));
}

function stuckAs(status: StoredStatus, payment: PaymentRecord): Classification {
  const hasSlipped = payment.legs.some(({ failure }) => failure?.reason === 'slippage');
  return status === 'FAILED' && hasSlipped ? 'SLIPPED' : 'STUCK';
}

const fundingIssue = ({ token, amount, decimals }: WalletHolding): FundingIssue => ({
  kind: 'funding',
  token,
  balance: { '#': formatAmount(amount, decimals) },
});

function parked(
  payment: PaymentRecord,
  holding: WalletHolding,
  classification: Classification,
  policy: PaymentPolicy,
): ParkedFundIssue {
  const resolvesItself = classification === 'STALLED' || isDust(holding, policy);
  return {
    kind: 'parked_fund',
    token: holding.token,
    balance: { '#': holding.amount.toString() },
    classification,
    severity: resolvesItself ? 'LOW' : 'HIGH',
    payment_gist: {
      op: 'buy',
      destination_address: payment.destinationAddress,
      destination_token: payment.quoted.output_amount.asset,
    },
    withdraw_from:
      payment.status === 'TAINTED'
        ? null
        : { withdraw_type: 'PAYMENT', payment_id: payment.id, withdraw_account: 'SPW' },
  };
}
