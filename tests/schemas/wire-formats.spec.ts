// End-to-end tests hold every answer against these schemas; here, that the schemas refuse what the contract excludes.
import { describe, expect, it } from '@jest/globals';
import { checkAnswer } from './check-answer.js';
import {
  assetsExample,
  balancesExample,
  chainsExample,
  completePaymentExample,
  issuesExample,
  methodsExample,
  parkedFundsExample,
  quotesExample,
  swapPaymentExample,
  unconfirmedPaymentExample,
  webhooksExample,
  withdrawalExample,
  withdrawalStatusExample,
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
  unconfirmed: {
    method: 'POST',
    path: '/payments/confirm',
    status: 200,
    example: unconfirmedPaymentExample,
  },
  methods: { method: 'GET', path: '/payments/methods', status: 200, example: methodsExample },
  parked: { method: 'POST', path: '/payments/issues', status: 200, example: parkedFundsExample },
  webhooks: { method: 'GET', path: '/orgs/webhooks', status: 200, example: webhooksExample },
  withdrawal: {
    method: 'POST',
    path: '/payments/withdraw',
    status: 200,
    example: withdrawalExample,
  },
  withdrawalStatus: {
    method: 'GET',
    path: '/payments/withdraw/status',
    status: 200,
    example: withdrawalStatusExample,
  },
};

const PAYMENT_FIELDS = [
  'payment_id',
  'org_id',
  'status',
  'funded',
  'created_at',
  'updated_at',
  'initiate_fund_by',
  'quoted',
  'fulfilled',
  'current_prices',
  'price_currency',
  'processing_addresses',
  'owner_chain',
  'owner_address',
  'destination_address',
  'withdrawals',
  'client_redirect_url',
  'geolocation',
  'declaration',
  'quote_request',
  'issues',
];
const ISSUE_KINDS = [
  'geolocation',
  'provider',
  'payin_method',
  'other',
  'unknown',
  'destination',
  'payout_method',
  'kyc',
];

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

  it('payments without one of their fields, or with another one', () => {
    for (const field of PAYMENT_FIELDS) expectRefused('confirmed', field);
    expectRefused('payment', 'completed_at');
    expectRefused('confirmed', 'wallet', {});
    expectRefused('confirmed', 'quoted.latency_seconds');
  });

  it('processing addresses without their factory, or with the destination', () => {
    const { processing_addresses: own, destination_address: destination } = swapPaymentExample();
    const [address] = own as object[];
    expectRefused('confirmed', 'processing_addresses', []);
    expectRefused('confirmed', 'processing_addresses.0.factory');
    expectRefused('confirmed', 'processing_addresses.0.chain');
    expectRefused('confirmed', 'processing_addresses.0.wallet', destination);
    const another = { ...address, chain: 'betanet', address: destination };
    expectRefused('confirmed', 'processing_addresses', [address, another]);
  });

  it('instructions without their fields, and of other types', () => {
    for (const field of ['payment_id', 'funding_page_url', 'deposit_info']) {
      expectRefused('confirmed', `next_instruction.${field}`);
    }
    for (const field of ['deposit_token', 'deposit_amount', 'deposit_address', 'deposit_chain']) {
      expectRefused('confirmed', `next_instruction.deposit_info.0.${field}`);
    }
    expectRefused('confirmed', 'next_instruction.type', 'USER_FUND');
    expectRefused('unconfirmed', 'next_instruction.type', 'ONRAMP');
    expectRefused('unconfirmed', 'next_instruction.verification_token');
    for (const field of ['reason', 'signature_type', 'payload']) {
      expectRefused('unconfirmed', `next_instruction.verifications.0.${field}`);
    }
    expectRefused('unconfirmed', 'next_instruction.verifications.0.signature_type', 'eip191');
  });

  it('withdrawals without one of their fields, and of another type than their signature', () => {
    for (const field of Object.keys(withdrawalExample())) expectRefused('withdrawal', field);
    expectRefused('withdrawal', 'type', 'erc191');
    expectRefused('withdrawal', 'type', 'EIP712');
    expectRefused('withdrawal', 'signature_type', 'eip712');
    expectRefused('withdrawalStatus', 'status', 'PENDING');
    expectRefused('withdrawalStatus', 'transaction_hash', null);
  });

  it('balances of another account than theirs in lower case, and without their amounts', () => {
    for (const account of ['SPW', 'intent', undefined]) {
      expectRefused('balances', 'balance_results.0.account', account);
    }
    for (const field of ['amount', 'withdrawal_fee', 'min_withdrawal_amount']) {
      expectRefused('balances', `balance_results.0.value.${field}`);
    }
    expectRefused('balances', 'balance_results.1.value.amount', '0');
  });

  it('webhooks that show more of a header than its name, or a secret', () => {
    const auth_header = { name: 'X-Shop-Token', value: 'open sesame' };
    expectRefused('webhooks', 'webhooks.0.auth_header', auth_header);
    expectRefused('webhooks', 'webhooks.0.auth_header_value', auth_header.value);
    expectRefused('webhooks', 'webhooks.0.signing_secret', 'whsec_0123456789abcdef');
  });

  it('payment methods and kinds of issues that the contract lacks', () => {
    expectRefused('methods', 'providers.sandboxpay.0', 'CHEQUE');
    expectRefused('quotes', 'quotes.0.onramp_method', 'CHEQUE');
    const { method, path, status } = ANSWERS.issues;
    for (const kind of ISSUE_KINDS) {
      checkAnswer({ method, path, status, body: { errors: [{ kind, message: 'No.' }] } });
    }
    expectRefused('issues', 'errors.1.kind', 'signature');
    expectRefused('issues', 'errors.1.mitigation', 'wait');
    expectRefused('parked', 'issues.0', { kind: 'other', message: 'No.' });
    expectRefused('parked', 'issues.0.classification', 'LATE');
  });
});
