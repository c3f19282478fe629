import { randomUUID } from 'node:crypto';
import type { DeliveryReference, Payment, QuotesResponse } from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import { Api, openLink } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { fundingPageUrl, quote, quoteAndConfirm } from '../../tools/first-payment/payments.js';
import { newTestUser, newTestUserWith } from '../../tools/first-payment/test-user.js';
import {
  parkedBalance,
  requestWithdrawal,
  signTypedData,
} from '../../tools/first-payment/withdraw.js';

/** Values that exist, by the operation or path that takes them: each a set of fields of its path, query or body. */
export type Resources = Record<string, Record<string, unknown>[]>;

const WANTED = '25';
const SENT = '10';
/** Webhooks to delete, so that the others stay. */
const SPARE = 20;

/**
 * Makes a payment by card, two with too little in their wallets, a withdrawal of one, and webhooks with a delivery.
 * Every set of them can be used up once.
 */
export async function createResources(stack: StackFile): Promise<Resources> {
  const api = new Api(stack.base_url, stack.keys.secret);
  const chain = new Chain(stack, 'alphanet');
  const usdc = chain.token('USDC');
  const [parked, signed, byCard, quotes] = [
    await parkedPayment(stack, api),
    await parkedPayment(stack, api),
    await cardPayment(stack, api),
    await openQuotes(stack, api),
  ];
  const { url, label, spare } = await webhooks(stack, api);
  const { id: delivery_id } = await api.post<DeliveryReference>('/orgs/webhooks/test', { label });
  const priced = { price_currency: 'usd' };
  const payments = [parked, byCard].map(({ payment_id }) => ({ payment_id, ...priced }));
  const owners = [{ owner_address: parked.owner_address, ...priced }];
  const labels = [{ label, event_type: 'WORKFLOW_COMPLETED' }];
  const deliveries = [{ delivery_id }];
  const { payment_id, token, return_token } = byCard;
  const queries = [{ address: parked.owner_address, token: usdc }];
  return {
    '/assets': [{ 'assets[]': ['usd', usdc] }],
    '/assets/available-outputs': [{ 'inputs[]': ['usd'], ...ANY_ROUTE }],
    '/assets/available-inputs': [{ 'outputs[]': [usdc], ...ANY_ROUTE }],
    '/prices': [{ fiat: 'usd', tokens: [usdc] }],
    '/payments/methods': [{ input: 'usd', output: usdc }],
    '/payments': payments,
    '/payments/timeline': payments,
    '/payments/balances': payments.map((each) => ({ ...each, custom_queries: queries })),
    '/payments/quotes': [...payments, { parent_payment_id: parked.payment_id }],
    '/payments/confirm': quotes,
    '/payments/history': owners,
    '/payments/issues': owners,
    '/payments/withdraw': [
      {
        payment_id: parked.payment_id,
        token_amounts: parked.token_amounts,
        recipient_address: parked.owner_address,
        withdraw_account: 'SPW',
      },
    ],
    '/payments/withdraw/confirm': [
      { signature: signed.signature, state_token: signed.state_token, polling_timeout: 1_000 },
    ],
    '/payments/withdraw/status': [{ withdraw_id: parked.withdraw_id }],
    '/funding/{payment_id}': [{ payment_id, token }],
    '/funding/{payment_id}/return': [{ payment_id, token: return_token }],
    '/orgs/webhooks': [{ url }],
    'PATCH /orgs/webhooks': [{ url, label }],
    'DELETE /orgs/webhooks': spare.map((each) => ({ label: each })),
    '/orgs/webhooks/test': labels,
    '/orgs/webhooks/rotate-secret': labels,
    '/orgs/webhooks/deliveries': labels,
    '/orgs/webhooks/deliveries/resend-failed': labels,
    '/orgs/webhooks/deliveries/{delivery_id}': deliveries,
    '/orgs/webhooks/deliveries/{delivery_id}/resend': deliveries,
    '/providers/{name}/callbacks': [{ name: 'swiftramp' }, { name: 'thriftramp' }],
  };
}

/** Filters that leave a route. */
const ANY_ROUTE = { 'onramps[]': ['swiftramp', 'thriftramp'], 'offramps[]': [], 'features[]': [] };

async function webhooks({ base_url }: StackFile, api: Api) {
  const url = `${base_url}/health/live`;
  const labels = Array.from({ length: SPARE + 1 }, () => randomUUID());
  for (const label of labels) {
    await api.post('/orgs/webhooks', { url, label, event_types: ['WORKFLOW_COMPLETED'] });
  }
  const [label = '', ...spare] = labels;
  return { url, label, spare };
}

async function parkedPayment(stack: StackFile, api: Api) {
  const chain = new Chain(stack, 'alphanet');
  const usdc = chain.token('USDC');
  const { owner, destination } = await newTestUserWith(chain, usdc, WANTED);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: WANTED },
    output: chain.token('WETH'),
    owner: owner.address,
    destination,
  });
  await chain.transfer(owner, usdc, depositAddress, await chain.units(usdc, SENT));
  const { payment_id } = payment;
  const { token, amount } = await parkedBalance(api, payment_id, 'SPW');
  const token_amounts = [{ token, amount }];
  const { withdraw_id, state_token, withdraw_authorization } = await requestWithdrawal(api, {
    payment_id,
    token_amounts,
    recipient_address: owner.address,
    withdraw_account: 'SPW',
  });
  return {
    payment_id,
    owner_address: owner.address,
    token_amounts,
    withdraw_id,
    state_token,
    signature: await signTypedData(owner, withdraw_authorization),
  };
}

/** Confirms a payment by card with a page to return to; its checkout has the link there. */
async function cardPayment(stack: StackFile, api: Api) {
  const [quoted] = await openQuotes(stack, api);
  const { owner, destination } = newTestUser();
  const payment = await api.post<Payment>('/payments/confirm', {
    ...quoted,
    owner_address: owner.address,
    destination_address: destination,
    client_redirect_url: 'https://shop.example/done',
  });
  const page = fundingPageUrl(payment);
  const { headers } = await openLink(page);
  const checkout = await (await fetch(headers.get('location') ?? '')).text();
  const back = /id="return" href="([^"]+)"/.exec(checkout)?.[1]?.replaceAll('&amp;', '&');
  if (back === undefined) throw new Error('expected the checkout to have a link back');
  return { payment_id: payment.payment_id, token: tokenOf(page), return_token: tokenOf(back) };
}

const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

async function openQuotes(stack: StackFile, api: Api) {
  const chain = new Chain(stack, 'alphanet');
  const { owner, destination } = newTestUser();
  const { quotes, state_token }: QuotesResponse = await quote(api, {
    input: { asset: 'usd', amount: '100' },
    output: chain.token('USDC'),
    owner: owner.address,
    destination,
  });
  return quotes.map(({ payment_id }) => ({ payment_id, state_token }));
}
