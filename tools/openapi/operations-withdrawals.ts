import { EXAMPLE } from './example-values.js';
import type { JsonSchema } from './json-schema.js';
import { json } from './operation.js';
import type { Operation } from './operation.js';

const FOREIGN = 'The payment belongs to another organisation, or it is frozen.';
const UNKNOWN = 'No payment has this id.';

interface BodyForm {
  required: string[];
  properties: Record<string, JsonSchema>;
}

export const PRESENT = { description: 'Not null.', not: { type: 'null' } };

/** Forms of the body of a confirm; `confirmation-forms.spec.ts` compares them with the service. */
export const CONFIRM_FORMS: readonly BodyForm[] = [
  {
    required: ['signature', 'state_token'],
    properties: { signature: PRESENT, state_token: PRESENT },
  },
  {
    required: ['payment_id', 'token_amounts', 'recipient_address', 'owner_signature'],
    properties: {
      payment_id: PRESENT,
      token_amounts: PRESENT,
      recipient_address: PRESENT,
      owner_signature: PRESENT,
      state_token: { description: 'Absent.', type: 'null' },
    },
  },
];

export const WITHDRAWAL_OPERATIONS = {
  'POST /payments/balances': {
    id: 'listBalances',
    tag: 'Recovery',
    summary: 'List balances of a payment',
    description:
      "Balances of the payment's wallet on every chain where it exists, and of up to 100 queried addresses. Either " +
      '`payment_id` or `custom_queries` is needed. The recipient of a withdrawal gets `amount` less `withdrawal_fee`.',
    body: 'BalancesDto',
    success: json('BalancesResponse', 'Balances.'),
    errors: { 403: FOREIGN, 404: UNKNOWN },
    example: { body: { payment_id: EXAMPLE.paymentId } },
  },
  'POST /payments/withdraw': {
    id: 'requestWithdrawal',
    isIdempotent: true,
    tag: 'Recovery',
    summary: 'Request a withdrawal',
    description:
      "Prepares a withdrawal to the owner's or another wallet, and returns the text that the owner signs.",
    body: 'WithdrawDto',
    quota:
      'the organisation has too many withdrawals that are not signed; they end by a confirm or after 30 minutes.',
    success: json('WithdrawResponse', 'Text to sign.'),
    errors: { 403: FOREIGN, 404: UNKNOWN },
    example: {
      body: {
        payment_id: EXAMPLE.paymentId,
        token_amounts: [{ token: EXAMPLE.token, amount: '10' }],
        recipient_address: EXAMPLE.owner,
        withdraw_account: 'SPW',
      },
    },
  },
  'POST /payments/withdraw/confirm': {
    id: 'confirmWithdrawal',
    isIdempotent: true,
    tag: 'Recovery',
    summary: 'Execute a withdrawal',
    description:
      "Sends the withdrawal with the owner's signature and waits up to `polling_timeout` milliseconds (300,000 by " +
      'default) for it to land. `PENDING` means that it did not land in time, or that too many requests wait already: ' +
      'ask for its status then.',
    body: 'ConfirmDto',
    bodyForms: CONFIRM_FORMS,
    success: json('WithdrawalStatusResponse', 'Withdrawal and its state.'),
    errors: {
      401: 'The key is missing, invalid or expired; or the signature is wrong.',
      403: FOREIGN,
      404: 'No withdrawal was requested like this.',
      409: 'The withdrawal is executed already.',
    },
    example: {
      body: { signature: EXAMPLE.signature, state_token: EXAMPLE.withdrawalStateToken },
    },
  },
  'GET /payments/withdraw/status': {
    id: 'getWithdrawal',
    tag: 'Recovery',
    summary: 'Get the status of a withdrawal',
    description: 'Withdrawal and its state now. Ask until the status is not `PENDING`.',
    query: 'StatusQueryDto',
    success: json('WithdrawalStatusResponse', 'Withdrawal.'),
    errors: {
      403: 'The withdrawal belongs to another organisation.',
      404: 'No withdrawal has this id.',
    },
    example: { query: { withdraw_id: EXAMPLE.withdrawId } },
  },
} as const satisfies Record<string, Operation>;
