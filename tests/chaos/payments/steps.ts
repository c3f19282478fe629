import type {
  Payment,
  PaymentStatus,
  Quote,
  QuotesResponse,
  TokenIdentifier,
  WebhookEventType,
} from '@bascule/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from 'viem';
import { check } from '../../../tools/first-payment/check.js';
import {
  confirmBody,
  depositInfo,
  getPayment,
  trustedDepositAddress,
} from '../../../tools/first-payment/payments.js';
import { ApiError } from '../../../tools/first-payment/api.js';
import { retryUntilAnswered } from '../client/retrying-api.js';
import type { OrderRequest } from './order-requests.js';
import {
  acceptanceOf,
  acceptedPayment,
  type AcceptedPayment,
  type TestPayment,
} from './test-payment.js';

const POLL_MS = 1_000;
/** Longer than any restarted service needs. */
const PATIENCE_MS = 420_000;

/** Quotes and confirms; sometimes with two concurrent confirms, of which one succeeds. */
export async function order(payment: TestPayment, wanted: OrderRequest): Promise<AcceptedPayment> {
  const { api } = payment.organisation;
  const { chosen, stateToken } = await chooseQuote(payment, wanted);
  const request = {
    input: wanted.input,
    output: wanted.output,
    owner: payment.owner.address,
    destination: payment.destination,
    ...(wanted.expirationMinutes === undefined
      ? {}
      : { expirationMinutes: wanted.expirationMinutes }),
  };
  const body = confirmBody(request, chosen.payment_id, stateToken);
  const confirm = () => api.request('POST', '/payments/confirm', { body });
  const answers = await Promise.all(
    payment.random.chance(0.2) ? [confirm(), confirm()] : [confirm()],
  );
  for (const answer of answers) {
    const isAccepted = answer.status === 200 || answer.status === 409;
    if (!isAccepted) throw new ApiError('POST /payments/confirm', answer.status, answer.body);
  }
  const won = answers.filter(({ status }) => status === 200);
  check('one confirm wins', won.length <= 1, body.payment_id);
  const created = (won[0]?.body as Payment | undefined) ?? (await getPayment(api, body.payment_id));
  payment.accepted = acceptedPayment(created, trustedDepositAddress(request, created));
  return payment.accepted;
}

async function chooseQuote(
  payment: TestPayment,
  wanted: OrderRequest,
): Promise<{ chosen: Quote; stateToken: string }> {
  const { api } = payment.organisation;
  const { input, output, parentPaymentId } = wanted;
  const choose = wanted.choose ?? ((quotes: Quote[]) => quotes[0]);
  // A provider that has just been killed is a failure of that quote, not of the request.
  return retryUntilAnswered('quoting', async () => {
    const body = {
      request: { kind: 'FIXED_INPUT', fixed_input_amount: input, output_asset: output },
      ...(parentPaymentId === undefined ? {} : { parent_payment_id: parentPaymentId }),
    };
    const answer = await api.request('POST', '/payments/quotes', { body });
    // While the broker is away, the quote service's projection lacks the parent.
    if (parentPaymentId !== undefined && answer.status === 404) return 'the parent is unknown';
    if (answer.status !== 200) {
      throw new ApiError('POST /payments/quotes', answer.status, answer.body);
    }
    const response = answer.body as QuotesResponse;
    const chosen = choose(response.quotes);
    return chosen
      ? { chosen, stateToken: response.state_token }
      : `no quote: ${JSON.stringify(response.failures)} ${JSON.stringify(response.fault)}`;
  });
}

/** Returns the deposit that the payment requests, in the smallest unit. */
export async function requestedDeposit(
  payment: TestPayment,
): Promise<{ token: TokenIdentifier; units: bigint }> {
  const [info] = depositInfo(acceptanceOf(payment).payment);
  if (!info) throw new Error('the payment takes no deposit');
  const token = info.deposit_token;
  return { token, units: await payment.chain.units(token, info.deposit_amount) };
}

/** Anyone may fund a payment: the faucet does. */
export async function deposit(
  payment: TestPayment,
  token: TokenIdentifier,
  units: bigint,
): Promise<void> {
  const { chain } = payment;
  const wallet: Address = acceptanceOf(payment).wallet;
  const { transactionHash } = await chain.transfer(chain.faucet, token, wallet, units);
  payment.deposits.push({ token, units, hash: transactionHash });
}

/** Deposits exactly the requested amount. */
export async function fund(payment: TestPayment): Promise<void> {
  const { token, units } = await requestedDeposit(payment);
  await deposit(payment, token, units);
}

export async function depositHalf(payment: TestPayment): Promise<void> {
  const { token, units } = await requestedDeposit(payment);
  await deposit(payment, token, units / 2n);
}

const FINAL: readonly PaymentStatus[] = ['COMPLETE', 'TAINTED'];

const WEBHOOKS: Partial<Record<PaymentStatus, WebhookEventType[]>> = {
  COMPLETE: ['WORKFLOW_COMPLETED'],
  FAILED: ['WORKFLOW_FAILED'],
};

/** Waits until the payment is in one of these. */
export async function reaches(
  payment: TestPayment,
  ...statuses: PaymentStatus[]
): Promise<Payment> {
  const { id } = acceptanceOf(payment);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const reported = await getPayment(payment.organisation.api, id);
    if (statuses.includes(reported.status)) {
      for (const type of WEBHOOKS[reported.status] ?? []) payment.expectedWebhooks.add(type);
      return reported;
    }
    if (FINAL.includes(reported.status) || Date.now() > deadline) {
      throw new Error(
        `payment is ${reported.status} instead of ${statuses.join(' or ')}: ${JSON.stringify(reported.issues)}`,
      );
    }
    await delay(POLL_MS * payment.random.between(0.75, 1.25));
  }
}

/** Expects COMPLETE, or for a cross-chain payment FAILED when its order stayed unfilled. */
export async function endsCompleteOrUndelivered(payment: TestPayment): Promise<void> {
  const crosses = acceptanceOf(payment).declaration.legs.length > 1;
  await ends(payment, 'COMPLETE', ...(crosses ? (['FAILED'] as const) : []));
}

/** Expects the payment to end in one of these statuses. */
export async function ends(payment: TestPayment, ...statuses: PaymentStatus[]): Promise<void> {
  payment.expected = statuses;
  await reaches(payment, ...statuses);
}
