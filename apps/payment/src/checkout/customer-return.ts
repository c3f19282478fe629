import { PAYMENT_STATUS_FACTS } from '@bascule/contracts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/** Next step of a customer on the return page of a payment; `url` is normalised, and therefore ASCII. */
export type CustomerReturn =
  | { kind: 'redirect'; url: string }
  /** Shows the status and a link to `url`, whose host the organisation has not registered or whose condition failed. */
  | { kind: 'link'; url: string; message: string }
  | { kind: 'wait'; message: string };

type ReturningPayment = Pick<
  PaymentRecord,
  'status' | 'fundedInFullAt' | 'clientRedirectUrl' | 'clientRedirectAfter'
>;

/** Scheme and authority of a URL, in the form in which an organisation registers it. */
const originOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

/**
 * Decides where a customer goes who comes back from a provider's checkout.
 * @param origins origins that the payment's organisation has registered
 * @returns null for a payment without a redirect URL
 */
export function customerReturn(
  payment: ReturningPayment,
  origins: readonly string[],
): CustomerReturn | null {
  if (payment.clientRedirectUrl === null) return null;
  const target = new URL(payment.clientRedirectUrl);
  const { href: url } = target;
  const message = statusMessage(payment);
  if (isDue(payment)) {
    return origins.includes(originOf(target))
      ? { kind: 'redirect', url }
      : { kind: 'link', url, message };
  }
  const { phase } = PAYMENT_STATUS_FACTS[payment.status];
  return phase === 'open' ? { kind: 'wait', message } : { kind: 'link', url, message };
}

function isDue({ status, fundedInFullAt, clientRedirectAfter }: ReturningPayment): boolean {
  if (clientRedirectAfter === 'COMPLETED') return status === 'COMPLETE';
  return clientRedirectAfter === null || fundedInFullAt !== null;
}

function statusMessage({ status, fundedInFullAt }: ReturningPayment): string {
  switch (status) {
    case 'COMPLETE':
      return 'The payment is complete.';
    case 'PENDING':
    case 'WITHDRAW_PENDING':
      return fundedInFullAt === null
        ? 'The payment has not arrived yet.'
        : 'The payment has arrived and is being delivered.';
    case 'EXPIRED':
      return 'The payment has expired.';
    case 'WITHDRAWN':
      return 'The money was withdrawn.';
    case 'FAILED':
      return 'The payment failed. Its money can be withdrawn or used for a new payment.';
    case 'TAINTED':
      return 'The payment is on hold.';
    default:
      return 'The payment is being processed.';
  }
}
