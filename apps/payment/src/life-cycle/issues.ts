import { minAmount, parseAmount } from '@bascule/amounts';
import type {
  FundingIssue,
  Issue,
  ParkedFundIssue,
  TokenIdentifier,
  WithdrawAccount,
} from '@bascule/contracts';
import { isFrozenFor, parseTokenIdentifier } from '@bascule/contracts';
import { decimalsOf } from './payment-record.js';
import { isStalled, sharesOf } from './issue-shares.js';
import type { Classification } from './issue-shares.js';
import { isInBridge } from './open-transfers.js';
import type { LegTransfer, PaymentRecord, WalletHolding } from './payment-record.js';
import type { PaymentPolicy, PolicyOn } from './policy.js';
import { isDust } from './policy.js';
import { reportedStatus } from './transitions.js';
import { holdings } from './wallet-ledger.js';
import { isRefundArriving } from './wallet-refunds.js';
import { openWithdrawals } from './withdrawals.js';

/** Issues about money that no leg is going to use. */
export function issuesOf(payment: PaymentRecord, policyOn: PolicyOn, now: Date): Issue[] {
  const funds = parkedFunds(payment, holdings(payment), policyOn, now);
  return [
    ...checkoutIssues(payment),
    ...funds.flatMap((issue): Issue[] =>
      issue.classification === 'MISSENT' ? [fundingIssue(issue), issue] : [issue],
    ),
  ];
}

/** Parked funds in the wallet, given its holdings, and in bridges. */
export function parkedFunds(
  payment: PaymentRecord,
  held: readonly WalletHolding[],
  policyOn: PolicyOn,
  now: Date,
): ParkedFundIssue[] {
  const policyOf = ({ token }: WalletHolding) => policyOn(parseTokenIdentifier(token).chain);
  const inWallet = held.flatMap((holding) => {
    const policy = policyOf(holding);
    let leaving = leavingOf(payment, holding);
    return sharesOf(payment, holding, policy, now).flatMap(([classification, amount]) => {
      const gone = minAmount(amount, leaving);
      leaving -= gone;
      const issueOf = (part: bigint) =>
        parked(payment, { ...holding, amount: part }, classification, policy);
      return [
        ...(gone > 0n ? [onItsWay(issueOf(gone))] : []),
        ...(gone < amount ? [issueOf(amount - gone)] : []),
      ];
    });
  });
  return [...inWallet, ...bridgeIssues(payment, policyOn, now)];
}

/** Amount of a token that submitted withdrawals are about to take from the wallet. */
const leavingOf = (payment: PaymentRecord, { token, decimals }: WalletHolding): bigint =>
  openWithdrawals(payment)
    .filter(({ transferId }) => transferId === null)
    .flatMap(({ tokenAmounts }) => tokenAmounts)
    .filter((taken) => taken.token === token)
    .reduce((sum, { amount }) => sum + parseAmount(amount, decimals), 0n);

/** Shows money that its owner has asked for: another withdrawal of it would fail. */
const onItsWay = (issue: ParkedFundIssue): ParkedFundIssue => ({
  ...issue,
  severity: 'LOW',
  withdraw_from: null,
});

/** Issues about money in a bridge; refundable once it can no longer be delivered. */
function bridgeIssues(payment: PaymentRecord, policyOn: PolicyOn, now: Date): ParkedFundIssue[] {
  return payment.legs.flatMap((leg): ParkedFundIssue[] => {
    const { transfer } = leg;
    if (transfer === null) return [];
    const policy = policyOn(leg.chain);
    const { inputToken: token, amount, withdrawAccount } = transfer.transfer;
    // Without a price: a whole transfer is never dust.
    const holding = { token, amount, decimals: decimalsOf(payment, token), usdPrice: null };
    if (isRefundArriving(payment, leg)) return [parked(payment, holding, 'STUCK', policy)];
    if (!isInBridge(leg)) return [];
    const classification = bridgedAs(payment, transfer, policy, now);
    if (classification === null) return [];
    const { severity, ...rest } = parked(payment, holding, classification, policy, withdrawAccount);
    const issue: ParkedFundIssue = {
      ...rest,
      severity: transfer.walletRefund.isUneconomic ? 'LOW' : severity,
    };
    // An open transfer cannot be refunded yet.
    return [transfer.status === 'OPEN' ? { ...issue, withdraw_from: null } : issue];
  });
}

function bridgedAs(
  payment: PaymentRecord,
  { status }: LegTransfer,
  policy: PaymentPolicy,
  now: Date,
): Classification | null {
  if (status === 'UNFILLED') return 'STUCK';
  const isOnItsWay = reportedStatus(payment, false) === 'PENDING';
  return isOnItsWay && !isStalled(payment, policy, now) ? null : 'STALLED';
}

/** Reason of a failed checkout, in the provider's words. */
function checkoutIssues({ checkout }: PaymentRecord): Issue[] {
  if (checkout === null || !(checkout.status === 'FAILED' || checkout.status === 'REFUNDED')) {
    return [];
  }
  const reason = checkout.failure ?? `The order is ${checkout.status.toLowerCase()}.`;
  return [{ kind: 'provider', message: `${checkout.provider}: ${reason}` }];
}

/** A contract owner that is missing on a chain cannot withdraw there. */
const canSignOn = ({ ownerChains }: PaymentRecord, token: TokenIdentifier): boolean =>
  ownerChains === null || ownerChains.includes(parseTokenIdentifier(token).chain);

const fundingIssue = ({ token, balance }: ParkedFundIssue): FundingIssue => ({
  kind: 'funding',
  token,
  balance,
});

function parked(
  payment: PaymentRecord,
  holding: WalletHolding,
  classification: Classification,
  policy: PaymentPolicy,
  account: WithdrawAccount = 'SPW',
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
      isFrozenFor({ ...payment, status: reportedStatus(payment, false) }, [holding.token]) ||
      !canSignOn(payment, holding.token)
        ? null
        : { withdraw_type: 'PAYMENT', payment_id: payment.id, withdraw_account: account },
  };
}
