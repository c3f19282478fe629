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
export async function order(play: TestPayment, wanted: OrderRequest): Promise<AcceptedPayment> {
  const { api } = play.organisation;
  const { chosen, stateToken } = await chooseQuote(play, wanted);
  const request = {
    input: wanted.input,
    output: wanted.output,
    owner: play.owner.address,
    destination: play.destination,
    ...(wanted.expirationMinutes === undefined
      ? {}
      : { expirationMinutes: wanted.expirationMinutes }),
  };
  const body = confirmBody(request, chosen.payment_id, stateToken);
  const confirm = () => api.request('POST', '/payments/confirm', { body });
  const answers = await Promise.all(play.random.chance(0.2) ? [confirm(), confirm()] : [confirm()]);
  for (const answer of answers) {
    const isAccepted = answer.status === 200 || answer.status === 409;
    if (!isAccepted) throw new ApiError('POST /payments/confirm', answer.status, answer.body);
  }
  const won = answers.filter(({ status }) => status === 200);
  check('one confirm wins', won.length <= 1, body.payment_id);
  const payment = (won[0]?.body as Payment | undefined) ?? (await getPayment(api, body.payment_id));
  play.accepted = acceptedPayment(payment, trustedDepositAddress(request, payment));
  return play.accepted;
}

async function chooseQuote(
  play: TestPayment,
  wanted: OrderRequest,
): Promise<{ chosen: Quote; stateToken: string }> {
  const { api } = play.organisation;
  const { input, output, parentPaymentId } = wanted;
  const choose = wanted.choose ?? ((quotes: Quote[]) => quotes[0]);
  // A provider that has just been killed is a failure of that quote, not of the request.
  return retryUntilAnswered('quoting', async () => {
    const response = await api.post<QuotesResponse>('/payments/quotes', {
      request: { kind: 'FIXED_INPUT', fixed_input_amount: input, output_asset: output },
      ...(parentPaymentId === undefined ? {} : { parent_payment_id: parentPaymentId }),
    });
    const chosen = choose(response.quotes);
    return chosen
      ? { chosen, stateToken: response.state_token }
      : `no quote: ${JSON.stringify(response.failures)} ${JSON.stringify(response.fault)}`;
  });
}

/** Returns the deposit that the payment requests, in the smallest unit. */
export async function requestedDeposit(
  play: TestPayment,
): Promise<{ token: TokenIdentifier; units: bigint }> {
  const [info] = depositInfo(acceptanceOf(play).payment);
  if (!info) throw new Error('the payment takes no deposit');
  const token = info.deposit_token;
  return { token, units: await play.chain.units(token, info.deposit_amount) };
}

/** Anyone may fund a payment: the faucet does. */
export async function deposit(
  play: TestPayment,
  token: TokenIdentifier,
  units: bigint,
): Promise<void> {
  const { chain } = play;
  const wallet: Address = acceptanceOf(play).wallet;
  const { transactionHash } = await chain.transfer(chain.faucet, token, wallet, units);
  play.deposits.push({ token, units, hash: transactionHash });
}

/** Deposits exactly the requested amount. */
export async function fund(play: TestPayment): Promise<void> {
  const { token, units } = await requestedDeposit(play);
  await deposit(play, token, units);
}

export async function depositHalf(play: TestPayment): Promise<void> {
  const { token, units } = await requestedDeposit(play);
  await deposit(play, token, units / 2n);
}

const FINAL: readonly PaymentStatus[] = ['COMPLETE', 'TAINTED'];

const WEBHOOKS: Partial<Record<PaymentStatus, WebhookEventType[]>> = {
  COMPLETE: ['WORKFLOW_COMPLETED'],
  FAILED: ['WORKFLOW_FAILED'],
};

/** Waits until the payment is in one of these. */
export async function reaches(play: TestPayment, ...statuses: PaymentStatus[]): Promise<Payment> {
  const { id } = acceptanceOf(play);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const payment = await getPayment(play.organisation.api, id);
    if (statuses.includes(payment.status)) {
      for (const type of WEBHOOKS[payment.status] ?? []) play.expectedWebhooks.add(type);
      return payment;
    }
    if (FINAL.includes(payment.status) || Date.now() > deadline) {
      throw new Error(
        `payment is ${payment.status} instead of ${statuses.join(' or ')}: ${JSON.stringify(payment.issues)}`,
      );
    }
    await delay(POLL_MS * play.random.between(0.75, 1.25));
  }
}

/** Expects COMPLETE, or for a cross-chain payment FAILED when its order stayed unfilled. */
export async function endsCompleteOrUndelivered(play: TestPayment): Promise<void> {
  const crosses = acceptanceOf(play).declaration.legs.length > 1;
  await ends(play, 'COMPLETE', ...(crosses ? (['FAILED'] as const) : []));
}

/** Expects the payment to end in one of these statuses. */
export async function ends(play: TestPayment, ...statuses: PaymentStatus[]): Promise<void> {
  play.expected = statuses;
  await reaches(play, ...statuses);
}
