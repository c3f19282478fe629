import { formatAmount } from '@bascule/amounts';
import type { VerificationReason } from '@bascule/contracts';
import { decimalsOf } from '../life-cycle/payment-record.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { depositEntries } from './deposit-entries.js';
import type { NewEntry } from './entry.js';
import { legEntries } from './leg-entries.js';
import { checkoutEntries, fundingEntries, statusEntries } from './status-entries.js';
import { withdrawalEntries } from './withdrawal-entries.js';

/** Entries of a confirmation, with the signatures that the owner gave for it. */
export function confirmationEntries(
  payment: PaymentRecord,
  verified: readonly VerificationReason[],
): NewEntry[] {
  const { token, required_amount } = payment.plan.deposit;
  const { funding } = payment.plan;
  const { parent_payment_id } = payment.quoteRequest;
  const output = payment.plan.legs.at(-1);
  return [
    ...verified.map(
      (verification) => ({ type: 'owner.verified', facts: { verification } }) as const,
    ),
    {
      type: 'payment.confirmed',
      facts: {
        status: payment.status,
        token,
        amount: formatAmount(BigInt(required_amount), decimalsOf(payment, token)),
        ...(output !== undefined && {
          output_token: output.output_token,
          output_amount: payment.quoted.output_amount.amount,
        }),
        wallet_address: payment.walletAddress,
        initiate_fund_by: payment.initiateFundBy.toISOString(),
        declaration_expires_at: payment.declarationExpiresAt.toISOString(),
        ...(funding.kind === 'onramp' && { provider: funding.provider, method: funding.method }),
        ...(parent_payment_id !== undefined && { parent_payment_id }),
      },
    },
  ];
}

/** Entries of a change: each fact in which the payment differs, causes before consequences. */
export const changeEntries = (
  before: PaymentRecord,
  after: PaymentRecord,
  policy: PaymentPolicy,
): NewEntry[] => [
  ...checkoutEntries(before, after),
  ...depositEntries(before, after, policy),
  ...legEntries(before, after),
  ...withdrawalEntries(before, after),
  ...fundingEntries(before, after),
  ...statusEntries(before, after),
];
