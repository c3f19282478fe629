import { formatAmount } from '@bascule/amounts';
import type {
  DepositInfo,
  NextInstruction,
  Payment,
  PaymentState,
  PaymentWithdrawal,
} from '@bascule/contracts';
import { getAddress } from 'viem';
import { isHandFed } from '../life-cycle/bought-deposits.js';
import { fulfilledFees, fulfilledOutput } from '../life-cycle/fulfilled-fees.js';
import { decimalsOf } from '../life-cycle/payment-record.js';
import { fulfilledRoute } from '../life-cycle/fulfilled.js';
import { issuesOf } from '../life-cycle/issues.js';
import type { PaymentRecord, Withdrawal } from '../life-cycle/payment-record.js';
import type { PaymentPolicy, PolicyOn } from '../life-cycle/policy.js';
import { reportedStatus } from '../life-cycle/transitions.js';
import { holdings, recordedHoldings } from '../life-cycle/wallet-ledger.js';
import { intentOrders } from './intent-orders.js';
import { minedWithdrawals } from './mined-withdrawals.js';

export interface PaymentViewOptions {
  policyOn: PolicyOn;
  now: Date;
  enableWithdrawPending: boolean;
}

type FundingInstruction = Extract<NextInstruction, { type: 'ONRAMP' }>;
type PublicPayment = PaymentState['payment'];

/** The payment without parts that depend on the viewer. */
export function paymentView(payment: PaymentRecord, options: PaymentViewOptions): PublicPayment {
  const { label, customer_id, parent_payment_id } = payment.quoteRequest;
  return {
    payment_id: payment.id,
    org_id: payment.orgId,
    status: reportedStatus(payment, options.enableWithdrawPending),
    funded: payment.funded,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    initiate_fund_by: payment.initiateFundBy.toISOString(),
    quoted: quoted(payment),
    fulfilled: fulfilled(payment),
    current_prices: payment.currentPrices,
    price_currency: payment.priceCurrency,
    processing_addresses: processingAddresses(payment),
    owner_chain: payment.ownerChain,
    owner_address: payment.ownerAddress,
    destination_address: payment.destinationAddress,
    withdrawals: withdrawals(payment),
    client_redirect_url: payment.clientRedirectUrl,
    geolocation: payment.geolocation,
    declaration: payment.declaration,
    ...(payment.completedAt === null ? {} : { completed_at: payment.completedAt.toISOString() }),
    quote_request: payment.quoteRequest,
    ...(customer_id === undefined ? {} : { customer_id }),
    ...(label === undefined ? {} : { label }),
    issues: issuesOf(payment, options.policyOn, options.now),
    ...(parent_payment_id === undefined ? {} : { parent_payment_id }),
  };
}

/** The state that events carry. */
export const paymentState = (
  payment: PaymentRecord,
  policy: PaymentPolicy,
  now: Date,
): PaymentState => ({
  version: payment.version,
  payment: paymentView(payment, { policyOn: () => policy, now, enableWithdrawPending: false }),
  required_deposit: {
    token: payment.plan.deposit.token,
    amount: payment.plan.deposit.required_amount,
  },
  intent_orders: intentOrders(payment),
  senders: payment.senders,
  ...(payment.frozenTokens.length > 0 && { frozen_tokens: [...payment.frozenTokens] }),
  ...heldTokens(payment),
  ...recordedBalances(payment),
  ...minedWithdrawals(payment),
});

function heldTokens(payment: PaymentRecord): Pick<PaymentState, 'held_tokens'> {
  const tokens = holdings(payment).map(({ token }) => token);
  return tokens.length === 0 ? {} : { held_tokens: tokens.sort() };
}

function recordedBalances(payment: PaymentRecord): Pick<PaymentState, 'recorded_balances'> {
  const recorded_balances = recordedHoldings(payment)
    .map(({ token, amount }) => ({ token, amount: amount.toString() }))
    .sort((a, b) => (a.token < b.token ? -1 : 1));
  return recorded_balances.length === 0 ? {} : { recorded_balances };
}

/** Next step of the user; undefined once the payment is funded or has ended. */
export function nextInstruction(
  payment: PaymentRecord,
  now: Date,
): Omit<FundingInstruction, 'funding_page_url'> | undefined {
  const isOpen = payment.status === 'PENDING' && payment.fundedInFullAt === null;
  if (!isOpen || now > payment.initiateFundBy || payment.checkout?.paidAt != null) return undefined;
  return {
    type: 'ONRAMP',
    payment_id: payment.id,
    deposit_info: [depositInfo(payment)],
  };
}

export function depositInfo(payment: PaymentRecord): DepositInfo {
  const { token, required_amount } = payment.plan.deposit;
  return {
    deposit_token: token,
    deposit_amount: formatAmount(BigInt(required_amount), decimalsOf(payment, token)),
    deposit_address: payment.walletAddress,
    deposit_chain: token.slice(0, token.indexOf(':')),
  };
}

function quoted({ quoted }: PaymentRecord): Payment['quoted'] {
  const { payment_id: _, ...rest } = quoted;
  return rest;
}

function fulfilled(payment: PaymentRecord): Payment['fulfilled'] {
  const { output_amount, onramp, onramp_method } = payment.quoted;
  const isByHand = isHandFed(payment);
  const output = payment.plan.legs.at(-1)?.output_token;
  const decimals = output === undefined ? 0 : decimalsOf(payment, output);
  return {
    route: fulfilledRoute(payment),
    output_amount: {
      asset: output_amount.asset,
      amount: formatAmount(fulfilledOutput(payment), decimals),
    },
    fees: fulfilledFees(payment),
    ...(onramp === undefined || isByHand ? {} : { onramp }),
    ...(onramp_method === undefined || isByHand ? {} : { onramp_method }),
  };
}

const processingAddresses = ({ plan, walletAddress, declaration }: PaymentRecord) =>
  plan.legs.map(({ chain }) => ({
    chain,
    address: walletAddress,
    factory: declaration.factory,
  }));

/** Submitted withdrawals only; unsigned requests are not shown. */
function withdrawals(payment: PaymentRecord): PaymentWithdrawal[] | null {
  const submitted = payment.withdrawals.filter((withdrawal) => withdrawal.submitted);
  return submitted.length === 0 ? null : submitted.map(withdrawalView);
}

const withdrawalView = (withdrawal: Withdrawal): PaymentWithdrawal => ({
  status: withdrawal.status,
  token_amounts: [...withdrawal.tokenAmounts],
  ...(withdrawal.recipientAddress !== null && {
    recipient_address: getAddress(withdrawal.recipientAddress),
  }),
  transaction_hash: withdrawal.transactionHash,
  issues: withdrawal.failure === null ? [] : [{ kind: 'other', message: withdrawal.failure }],
});
