import type { DeliveryReference, QuotesResponse } from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import { Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { quote, quoteAndConfirm } from '../../tools/first-payment/payments.js';
import { newTestUser, newTestUserWith } from '../../tools/first-payment/test-user.js';
import { parkedBalance, requestWithdrawal } from '../../tools/first-payment/withdraw.js';

/** Values that exist, by the path that takes them: each a set of fields of its path, query or body. */
export type Resources = Record<string, Record<string, string>[]>;

const WANTED = '25';
const SENT = '10';
const LABEL = 'fuzzed';

/** Makes a payment by card, one with too little in its wallet, a withdrawal of that, and a webhook with a delivery. */
export async function createResources(stack: StackFile): Promise<Resources> {
  const api = new Api(stack.base_url, stack.keys.secret);
  const [parked, byCard, quotes] = [
    await parkedPayment(stack, api),
    await cardPayment(stack, api),
    await openQuotes(stack, api),
  ];
  const url = `${stack.base_url}/health/live`;
  await api.post('/orgs/webhooks', { url, label: LABEL, event_types: ['WORKFLOW_COMPLETED'] });
  const { id: delivery_id } = await api.post<DeliveryReference>('/orgs/webhooks/test', {
    label: LABEL,
  });
  const payments = [{ payment_id: parked.payment_id }, { payment_id: byCard.payment_id }];
  const owners = [{ owner_address: parked.owner_address }];
  const [labels, deliveries] = [[{ label: LABEL }], [{ delivery_id }]];
  return {
    '/payments': payments,
    '/payments/timeline': payments,
    '/payments/balances': payments,
    '/payments/quotes': [...payments, { parent_payment_id: parked.payment_id }],
    '/payments/confirm': quotes,
    '/payments/history': owners,
    '/payments/issues': owners,
    '/payments/withdraw': [{ payment_id: parked.payment_id }],
    '/payments/withdraw/confirm': [{ state_token: parked.state_token }],
    '/payments/withdraw/status': [{ withdraw_id: parked.withdraw_id }],
    '/funding/{payment_id}': [byCard],
    '/funding/{payment_id}/return': [byCard],
    '/orgs/webhooks': [{ url }],
    '/orgs/webhooks/test': labels,
    '/orgs/webhooks/rotate-secret': labels,
    '/orgs/webhooks/deliveries': labels,
    '/orgs/webhooks/deliveries/resend-failed': labels,
    '/orgs/webhooks/deliveries/{delivery_id}': deliveries,
    '/orgs/webhooks/deliveries/{delivery_id}/resend': deliveries,
    '/providers/{name}/callbacks': [{ name: 'swiftramp' }, { name: 'thriftramp' }],
  };
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
  const { withdraw_id, state_token } = await requestWithdrawal(api, {
    payment_id,
    token_amounts: [{ token, amount }],
    recipient_address: owner.address,
    withdraw_account: 'SPW',
  });
  return { payment_id, owner_address: owner.address, withdraw_id, state_token };
}

async function cardPayment(stack: StackFile, api: Api) {
  const { owner, destination } = newTestUser();
  const { payment } = await quoteAndConfirm(api, {
    input: { asset: 'usd', amount: '100' },
    output: new Chain(stack, 'alphanet').token('USDC'),
    owner: owner.address,
    destination,
  });
  const { next_instruction: next } = payment;
  const page = next && 'funding_page_url' in next ? next.funding_page_url : undefined;
  if (page === undefined) throw new Error('expected a payment by card to have a funding page');
  return {
    payment_id: payment.payment_id,
    token: new URL(page).searchParams.get('token') ?? '',
  };
}

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
