// End-to-end tests hold every answer against these schemas; here, that the schemas refuse what the contract excludes.
import { describe, expect, it } from '@jest/globals';
import { checkAnswer } from './check-answer.js';
import {
  assetsExample,
  balancesExample,
  chainsExample,
  completePaymentExample,
  issuesExample,
  quotesExample,
  swapPaymentExample,
} from './examples.fixture.js';
import { mutated } from './mutated.fixture.js';

const USDC = 'alphanet:0x5fbdb2315678afecb367f032d93f642f64180aa3';
const UNCHECKED = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const ANSWERS = {
  assets: { method: 'GET', path: '/assets', status: 200, example: assetsExample },
  chains: { method: 'GET', path: '/chains', status: 200, example: chainsExample },
  balances: { method: 'POST', path: '/payments/balances', status: 200, example: balancesExample },
  quotes: { method: 'POST', path: '/payments/quotes', status: 200, example: quotesExample },
  confirmed: {
    method: 'POST',
    path: '/payments/confirm',
    status: 200,
    example: swapPaymentExample,
  },
  payment: { method: 'GET', path: '/payments', status: 200, example: completePaymentExample },
  issues: { method: 'POST', path: '/payments/confirm', status: 400, example: issuesExample },
};

/** Asserts that an answer is accepted as it is, and refused with the value at a path. */
function expectRefused(answer: keyof typeof ANSWERS, path: string, value?: unknown): void {
  const { example, ...exchange } = ANSWERS[answer];
  const check = (body: unknown) => checkAnswer({ ...exchange, body });
  check(example());
  expect(() => check(mutated(example(), [path, value]))).toThrow('against its contract');
}

describe('the schemas of answers refuse', () => {
  it('integers that are not wrapped, and amounts that are no decimal strings', () => {
    expectRefused('chains', 'alphanet.chain_id', 31337);
    expectRefused('issues', 'errors.3.balance', { '#': '1.2' });
    expectRefused('issues', 'errors.4.balance', '12');
    expectRefused('balances', 'balance_results.0.value.amount', 5);
    expectRefused('quotes', 'quotes.0.output_amount.amount', '1e2');
  });

  it('times that are not UTC', () => {
    expectRefused('quotes', 'quoted_at', '2026-11-23T11:00:00+01:00');
    expectRefused('payment', 'created_at', '2026-02-30T10:00:00.000Z');
  });

  it('identifiers, fiat codes and provider names in upper case', () => {
    expectRefused('quotes', 'price_currency', 'USD');
    expectRefused('quotes', 'failures.0.service_ids.0', 'OtherPay');
    expectRefused('quotes', 'quote_request.request.output_asset', USDC.replace('a', 'A'));
    expectRefused('assets', 'USD', {});
  });

  it('addresses without their checksum, but for the address of a token entry', () => {
    expectRefused('balances', 'balance_results.0.address', UNCHECKED);
    expectRefused('payment', 'owner_address', UNCHECKED);
    expectRefused('payment', 'destination_address', UNCHECKED);
    expectRefused('assets', `${USDC}.address`, '0x5FbDB2315678afecb367f032d93F642f64180aa3');
  });

  it('tokens of another form, chain names with digits, and ids that are no UUIDv7', () => {
    expectRefused('quotes', 'quotes.0.output_amount.asset', 'alphanet:0x12');
    expectRefused('payment', 'owner_chain', 'chain1');
    expectRefused('quotes', 'quotes.0.payment_id', '0d9c3f4e-7a1b-4c2d-8e3f-4a5b6c7d8e9f');
  });

  it('null for what may be absent, and absence for what may be null', () => {
    expectRefused('confirmed', 'customer_id', null);
    expectRefused('payment', 'completed_at', null);
    expectRefused('confirmed', 'client_redirect_url');
    expectRefused('quotes', 'fault');
    expectRefused('confirmed', 'fulfilled');
  });

  it('quotes without a fault, failures or limits', () => {
    expectRefused('quotes', 'fault');
    expectRefused('quotes', 'failures');
    expectRefused('quotes', 'limits');
  });

  it('limits with a minimum above the maximum, and unknown members that are not absent', () => {
    expectRefused('issues', 'errors.0.downstream_limits', { min: '9', max: '8' });
    expectRefused('issues', 'errors.0.limits.max', null);
    expectRefused('quotes', 'limits.0.max', null);
  });

  it('fields of tokens on fiats, fields of fiats on tokens, and entries without their fields', () => {
    expectRefused('assets', 'usd.chain', 'alphanet');
    expectRefused('assets', `${USDC}.issuer`, 'Circle');
    expectRefused('assets', 'usd.issuer');
    expectRefused('assets', `${USDC}.is_native`);
  });

  it('types of steps and pieces, accounts and properties that the contract lacks', () => {
    expectRefused('quotes', 'quotes.0.route.1.type', 'BRIDGE_STEP');
    expectRefused('quotes', 'quotes.0.route.1.net_effect.produce.1.account', 'POOL');
    expectRefused('quotes', 'quotes.0.route.1.net_effect.produce.1.resource.property', 'DEBT');
    expectRefused('confirmed', 'quoted.route.1.pieces_info.0.type', 'poll');
  });

  it('prices that lack an asset of the request, the quotes or their routes', () => {
    expectRefused('quotes', `current_prices.${USDC}`);
    expectRefused('payment', `current_prices.${USDC}`);
  });

  it('statuses of steps that are none, or that contradict their payment', () => {
    expectRefused('payment', 'fulfilled.route.1.status', 'DONE');
    expectRefused('payment', 'fulfilled.route.1.status', 'PENDING');
    expectRefused('confirmed', 'fulfilled.route.1.status', 'UNREACHABLE');
    expectRefused('quotes', 'quotes.0.route.0.status', 'PENDING');
  });
});
