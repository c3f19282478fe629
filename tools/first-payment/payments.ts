import type {
  CustomActions,
  Payment,
  Quote,
  QuoteRequest,
  QuotesResponse,
  TestOutcome,
} from '@bascule/contracts';
import { oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import { isAddressEqual, type Address } from 'viem';
import type { Api } from './api.js';
import { check, checkEqual } from './check.js';
import { until } from './polling.js';

interface FixedInput {
  input: { asset: string; amount: string };
  output: string;
}

interface FixedOutput {
  input: string;
  output: { asset: string; amount: string };
}

export type PaymentRequest = Participants & (FixedInput | FixedOutput);

export interface Participants {
  owner: Address;
  destination: Address;
  expirationMinutes?: number;
  revShareName?: string;
  /** Leaves an unfilled order in the escrow for the owner's signature. */
  useIntentRefund?: boolean;
  /** Chains between the first and the last one, in their order. */
  hops?: string[];
  /** Calls on the last chain, quoted for the destination. */
  customActions?: CustomActions;
  /** Outcome on demand, with a test key. */
  testOutcome?: TestOutcome;
  /** Chooses the quote to take; the best one by default. */
  choose?: (quotes: Quote[]) => Quote | undefined;
}

export interface ConfirmedPayment {
  quote: Quote;
  quotes: Quote[];
  payment: Payment;
  depositAddress: Address;
}

function requested({ input, output }: PaymentRequest): QuoteRequest['request'] {
  if (typeof input !== 'string' && typeof output === 'string') {
    return { kind: 'FIXED_INPUT', fixed_input_amount: input, output_asset: output };
  }
  if (typeof input === 'string' && typeof output !== 'string') {
    return { kind: 'FIXED_OUTPUT', fixed_output_amount: output, input_asset: input };
  }
  throw new Error('expected the amount of either the input or the output');
}

export const quote = (api: Api, request: PaymentRequest): Promise<QuotesResponse> =>
  api.post<QuotesResponse>('/payments/quotes', {
    request: {
      ...requested(request),
      ...(request.customActions && {
        dest_address: request.destination,
        custom_actions: request.customActions,
      }),
    },
    ...(request.revShareName === undefined ? {} : { rev_share_name: request.revShareName }),
    ...(request.useIntentRefund === undefined
      ? {}
      : { use_intent_refund: request.useIntentRefund }),
    ...(request.hops === undefined ? {} : { hops: request.hops }),
    ...(request.testOutcome === undefined ? {} : { test_outcome: request.testOutcome }),
  });

export function confirmBody(request: Participants, paymentId: string, stateToken: string) {
  return {
    payment_id: paymentId,
    state_token: stateToken,
    owner_address: request.owner,
    destination_address: request.destination,
    ...(request.expirationMinutes === undefined
      ? {}
      : { payment_expiration_minutes: request.expirationMinutes }),
  };
}

export const quoteAndConfirm = async (
  api: Api,
  request: PaymentRequest,
): Promise<ConfirmedPayment> => confirmBest(api, request, await quote(api, request));

/** Takes the best quote, and trusts the deposit address only after recomputing it. */
export async function confirmBest(
  api: Api,
  request: Participants,
  response: QuotesResponse,
): Promise<ConfirmedPayment> {
  const chosen = request.choose?.(response.quotes) ?? response.quotes[0];
  if (!chosen) throw new Error(`no quote: ${JSON.stringify(response)}`);
  const body = confirmBody(request, chosen.payment_id, response.state_token);
  const payment = await api.post<Payment>('/payments/confirm', body);
  const depositAddress = trustedDepositAddress(request, payment);
  return { quote: chosen, quotes: response.quotes, payment, depositAddress };
}

/** The address that follows from the declaration; every address that the service shows has to be this one. */
export function trustedDepositAddress(request: Participants, payment: Payment): Address {
  const declaration = parseDeclaration(payment.declaration);
  const address = oneTimeWalletAddress(declaration);
  check('the declaration names the owner', isAddressEqual(declaration.owner, request.owner));
  check(
    'the declaration names the destination',
    isAddressEqual(declaration.destination, request.destination),
  );
  const shown = [
    ...payment.processing_addresses.map((place) => place.address),
    ...depositInfo(payment).map((info) => info.deposit_address),
  ];
  check('there is a deposit address', shown.length > 0);
  for (const each of shown) {
    check(
      'the deposit address follows from the declaration',
      isAddressEqual(each as Address, address),
      { each, address },
    );
  }
  return address;
}

export function depositInfo(payment: Payment) {
  const next = payment.next_instruction;
  checkEqual('the next instruction is to fund', next?.type, 'ONRAMP');
  return next?.type === 'ONRAMP' ? next.deposit_info : [];
}

export function fundingPageUrl(payment: Payment): string {
  const next = payment.next_instruction;
  if (next?.type !== 'ONRAMP') throw new Error('the payment has no funding page');
  return next.funding_page_url;
}

export const getPayment = (api: Api, paymentId: string): Promise<Payment> =>
  api.get<Payment>('/payments', { payment_id: paymentId });

const FINAL: readonly Payment['status'][] = ['COMPLETE', 'FAILED', 'EXPIRED', 'WITHDRAWN'];

/** Waits for a status; another final one ends the wait at once. */
export function reaches(
  api: Api,
  paymentId: string,
  status: Payment['status'],
  timeoutMs = 90_000,
): Promise<Payment> {
  const leavesAlone = status === 'WITHDRAWN' ? ['COMPLETE'] : FINAL;
  return until(
    `payment ${paymentId} ${status}`,
    async () => {
      const payment = await getPayment(api, paymentId);
      if (payment.status === status) return payment;
      if (!leavesAlone.includes(payment.status)) return null;
      throw new Error(
        `payment ${paymentId} is ${payment.status}: ${JSON.stringify(payment.issues)}`,
      );
    },
    { timeoutMs },
  );
}
