import { EXAMPLE } from './example-values.js';
import { json } from './operation.js';
import type { Operation } from './operation.js';

const UNKNOWN_PAYMENT = 'No payment has this id.';
const FOREIGN_PAYMENT = 'The payment belongs to another organisation.';

export const PAYMENT_OPERATIONS = {
  'POST /payments/quotes': {
    id: 'createQuotes',
    tag: 'Payments',
    summary: 'Ask for quotes',
    description:
      'Offers for a route and an amount, or anew for a payment (`payment_id` in place of `request`). A party that ' +
      'is slow or refuses appears in `failures`; without any quote `fault` says why. Confirm one until `accept_by`, ' +
      '5 minutes by default.',
    body: ['QuoteRequestDto', 'RequoteDto'],
    quota: 'the organisation asks for too many quotes per second.',
    success: json('QuotesResponse', 'Quotes, perhaps none.'),
    errors: {
      403: 'The key may not use an option, or the parent payment belongs to another organisation.',
      404: 'No payment has the id to retry or requote.',
    },
    example: {
      body: {
        request: {
          kind: 'FIXED_INPUT',
          fixed_input_amount: { asset: EXAMPLE.token, amount: '250' },
          output_asset: EXAMPLE.native,
        },
      },
    },
  },
  'POST /payments/confirm': {
    id: 'confirmPayment',
    isIdempotent: true,
    tag: 'Payments',
    summary: 'Confirm a quote',
    description:
      'Makes a payment of a quote. An output of 300 USD or more needs a signature of an owner that has never ' +
      'signed, one of 1,000,000 USD or more a simulated withdrawal: the answer is then `UNCONFIRMED`, and the second ' +
      'form of the body brings the signatures. Repeat the request safely: 409 means it was confirmed before.',
    body: ['ConfirmPaymentDto', 'ContinueConfirmationDto'],
    quota:
      'the organisation has too many payments that are not funded; they end by a deposit or at `initiate_fund_by`.',
    success: json('Payment', 'Payment, or the signatures it needs.'),
    errors: {
      401: 'The key is missing, invalid or expired; or a signature of the owner is wrong, which may be retried.',
      403: 'The quote belongs to another organisation, or the key may not confirm it.',
      404: 'The state token has no such payment.',
      409: 'The payment is confirmed already.',
    },
    example: {
      body: {
        payment_id: EXAMPLE.paymentId,
        state_token: EXAMPLE.stateToken,
        owner_address: EXAMPLE.owner,
        destination_address: EXAMPLE.destination,
      },
    },
  },
  'GET /payments': {
    id: 'getPayment',
    tag: 'Payments',
    summary: 'Get a payment',
    description:
      'Payment with its state now. Publishable keys do not see `customer_id`, `tags` and `customer_ip_address`.',
    query: 'PaymentQueryDto',
    success: json('Payment', 'Payment.'),
    errors: { 403: FOREIGN_PAYMENT, 404: UNKNOWN_PAYMENT },
    example: { query: { payment_id: EXAMPLE.paymentId } },
  },
  'GET /payments/history': {
    id: 'listPayments',
    tag: 'Payments',
    summary: 'List payments',
    description:
      'Payments of the organisation, newest first. A publishable key has to name `owner_address`. Pages stay stable ' +
      'while payments arrive; one whose confirm is not answered yet may be left out. A page of large payments ends after ' +
      'about 1 MiB, so it may hold fewer than `limit`: only a `next_pagination_key` of null ends the list.',
    query: 'HistoryQueryDto',
    success: json('PaymentHistory', 'Page of payments.'),
    example: { query: { owner_address: EXAMPLE.owner, limit: '2' } },
  },
  'GET /payments/timeline': {
    id: 'getTimeline',
    tag: 'Payments',
    summary: 'Get the timeline of a payment',
    description: 'Facts of a payment in their order, where its money is and what it waits for.',
    query: 'TimelineQueryDto',
    success: json('PaymentTimeline', 'Page of the timeline.'),
    errors: { 403: FOREIGN_PAYMENT, 404: UNKNOWN_PAYMENT },
    example: { query: { payment_id: EXAMPLE.paymentId, limit: '10' } },
  },
  'POST /payments/issues': {
    id: 'listParkedFunds',
    tag: 'Recovery',
    summary: 'Find parked funds of an owner',
    description:
      "Money at one-time wallets of the owner's payments and of linked addresses that no payment uses. Payments that " +
      'hold money by their recorded deposits come first, then the others, each newest first. A page looks at no more ' +
      'than 500 payments and reads at most 100 wallets, so one without an issue may have a successor: ask until ' +
      '`next_pagination_key` is null. A payment that gets or loses money meanwhile, or did in the minute before, may ' +
      'be on two pages and is on at least one: its later issues replace the earlier ones.',
    body: 'ParkedFundsDto',
    success: json('ParkedFundsResponse', 'Issues of kind `parked_fund`.'),
    example: { body: { owner_address: EXAMPLE.owner } },
  },
  'GET /funding/:payment_id': {
    id: 'openFundingPage',
    tag: 'Links',
    summary: 'Fund a payment by its link',
    description:
      "Leads a customer to the provider's checkout, or tells the deposit. The link in `funding_page_url` carries the " +
      'credential in `token`.',
    path: 'LinkedPaymentDto',
    success: [
      { status: 200, description: 'Deposit that funds the payment.', body: 'DepositInstructions' },
      { status: 303, description: 'The checkout is at `location`.', body: 'empty' },
    ],
    errors: {
      403: 'The link is for another payment.',
      404: UNKNOWN_PAYMENT,
    },
  },
  'GET /funding/:payment_id/return': {
    id: 'returnFromCheckout',
    tag: 'Links',
    summary: 'Return from a checkout',
    description:
      "Leads a customer back to the organisation's page once the payment got as far as `client_redirect_after` says.",
    path: 'LinkedPaymentDto',
    success: [
      { status: 200, description: 'Page with the status of the payment.', body: 'html' },
      { status: 303, description: "The organisation's page is at `location`.", body: 'empty' },
    ],
    errors: {
      403: 'The link is for another payment.',
      404: 'The payment is unknown, or has no page to return to.',
    },
  },
  'POST /providers/:name/callbacks': {
    id: 'receiveProviderCallback',
    tag: 'Providers',
    summary: 'Receive a callback of a provider',
    description: "Event of an onramp provider, in the provider's own form and with its signature.",
    body: 'ProviderCallback',
    success: json('CallbackReceived', 'The callback is stored.'),
    errors: {
      401: 'The signature of the callback is wrong.',
      403: 'The callback is for another provider.',
      404: 'No provider has this name.',
    },
  },
} as const satisfies Record<string, Operation>;
