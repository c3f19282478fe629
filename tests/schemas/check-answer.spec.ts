import { describe, expect, it } from '@jest/globals';
import { checkAnswer } from './check-answer.js';
import {
  assetsExample,
  availableExample,
  balancesExample,
  chainsExample,
  completePaymentExample,
  deliveriesExample,
  deliveryExample,
  emptyQuotesExample,
  geolocationExample,
  historyExample,
  issuesExample,
  methodsExample,
  parkedFundsExample,
  pricesExample,
  quotesExample,
  rotatedExample,
  swapPaymentExample,
  timelineExample,
  unconfirmedPaymentExample,
  validationExample,
  webhooksExample,
  withdrawalExample,
  withdrawalStatusExample,
} from './examples.fixture.js';
import { mutated, type Mutation } from './mutated.fixture.js';

const USDC = 'alphanet:0x5fbdb2315678afecb367f032d93f642f64180aa3';
const ID = '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6071';

interface FundingStep {
  net_effect: { consume: object[]; produce: object[] };
}

interface Case {
  name: string;
  method: string;
  path: string;
  status: number;
  example: () => Record<string, unknown>;
  mutations: Mutation[];
}

/** Typed data of a withdrawal that moves nothing. */
function unconfirmedPayload(): string {
  const { next_instruction: next } = unconfirmedPaymentExample() as {
    next_instruction: { verifications: { payload: string }[] };
  };
  return next.verifications[1]?.payload ?? '';
}

const CASES: Case[] = [
  {
    name: 'assets',
    method: 'GET',
    path: '/assets',
    status: 200,
    example: assetsExample,
    mutations: [
      ['usd.decimals', '2'],
      ['usd.issuer', undefined],
      ['usd.chain', 'alphanet'],
      ['USD', {}],
      [`${USDC}.is_native`, true],
      [`${USDC}.wrapper`, 'WUSDC'],
      [`${USDC}.address`, '0x5FbDB2315678afecb367f032d93F642f64180aa3'],
      [`${USDC}.chain`, 'betanet'],
      ['alphanet:0x.coingecko_id', null],
      ['alphanet:0x.wrapper', 'WETH9'],
      [`${USDC}.image_url`, 'https://assets.example/usd coin.svg'],
      [`${USDC}.image_url`, 'https://assets.example/[usdc].svg'],
      [`${USDC}.image_url`, 'https://assets.example/100%.svg'],
      [`${USDC}.image_url`, ''],
    ],
  },
  {
    name: 'chains',
    method: 'GET',
    path: '/chains?sandbox=true',
    status: 200,
    example: chainsExample,
    mutations: [
      ['alphanet.chain_id', 31337],
      ['alphanet.explorer', 'https://explorer.example'],
      ['alphanet.explorer', 'https://explorer.example/?chain=/'],
      ['alphanet.address_family', undefined],
      ['alphanet.rpc', 'https://rpc.example/v2/a1b2c3d4e5f6a7b8c9d0e1f2'],
      ['alphanet.image', 'alphanet.svg'],
    ],
  },
  {
    name: 'balances',
    method: 'POST',
    path: '/payments/balances',
    status: 200,
    example: balancesExample,
    mutations: [
      ['balance_results.0.address', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
      ['balance_results.0.withdraw_account', undefined],
      ['balance_results.0.withdraw_account', 'INTENT'],
      ['balance_results.0.account', 'SPW'],
      ['balance_results.0.value.withdrawal_fee', undefined],
      ['balance_results.0.value.amount', 5],
      ['balance_results.1.value.amount', '5'],
      ['balance_results.1.account', 'spw'],
      ['future_withdrawable_balances', [{}]],
    ],
  },
  {
    name: 'parked funds',
    method: 'POST',
    path: '/payments/issues',
    status: 200,
    example: parkedFundsExample,
    mutations: [
      ['issues.0.kind', 'funding'],
      ['issues.0.balance', { '#': '1.5' }],
      ['issues.0.classification', 'LOST'],
      ['issues.0.severity', 'MEDIUM'],
      ['issues.0.payment_gist', undefined],
      ['issues.0.payment_gist.destination_address', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
      ['issues.0.withdraw_from.withdraw_account', 'RDW'],
      ['next_pagination_key', ID],
      ['unread_chains', undefined],
      ['unread_chains', ['alphanet', 'alphanet']],
    ],
  },
  {
    name: 'available outputs',
    method: 'GET',
    path: `/assets/available-outputs?inputs[]=USD&inputs[]=${USDC}`,
    status: 200,
    example: availableExample,
    mutations: [
      ['usd.fiats', undefined],
      ['usd.tokens', []],
      ['usd.tokens.0', 'usd'],
      ['eur', { fiats: [], tokens: [USDC] }],
    ],
  },
  {
    name: 'available inputs',
    method: 'GET',
    path: '/assets/available-inputs?outputs[]=usd',
    status: 200,
    example: availableExample,
    mutations: [
      ['usd.fiats', ['USD']],
      ['usd.providers', []],
      ['gbp', { fiats: ['eur'], tokens: [] }],
    ],
  },
  {
    name: 'prices',
    method: 'POST',
    path: '/prices',
    status: 200,
    example: pricesExample,
    mutations: [
      ['usd', undefined],
      ['eur', '1'],
      ['gbp', '0.8'],
      [USDC, 0.919],
      [USDC, '9.19e-1'],
    ],
  },
  {
    name: 'geolocation',
    method: 'GET',
    path: '/geolocation',
    status: 200,
    example: geolocationExample,
    mutations: [
      ['state_code', 'GB-ENG'],
      ['default_currency', 'GBP'],
      ['alpha3_country_code', 'GB'],
    ],
  },
  {
    name: 'a timeline',
    method: 'GET',
    path: `/payments/timeline?payment_id=${ID}`,
    status: 200,
    example: timelineExample,
    mutations: [
      ['payment_id', '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6072'],
      ['status', 'UNCONFIRMED'],
      ['waits_for', undefined],
      ['waits_for.kind', 'MONEY'],
      ['funds.0.amount', 40],
      ['entries.0.sequence', 0],
      ['entries.1.sequence', 3],
      ['entries.1.cause', undefined],
      ['entries.1.sender', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
      ['entries.0.trace_id', 'zz'],
      ['omitted.0.count', 0],
      ['next_pagination_key', '3'],
    ],
  },
  {
    name: 'payment methods',
    method: 'GET',
    path: '/payments/methods?input=usd&output=alphanet:0x',
    status: 200,
    example: methodsExample,
    mutations: [
      ['providers', undefined],
      ['providers.sandboxpay.0', 'CASH'],
      ['providers.SandboxPay', ['SEPA']],
      ['in_house', {}],
    ],
  },
  {
    name: 'validation errors',
    method: 'POST',
    path: '/prices',
    status: 400,
    example: validationExample,
    mutations: [
      ['errors.0.expected', undefined],
      ['errors.1.expected', 'string'],
      ['errors.1.path.0', null],
      ['errors.0', { kind: 'other', message: 'Both shapes in one answer.' }],
      ['errors', []],
    ],
  },
  {
    name: 'issues',
    method: 'POST',
    path: '/payments/confirm',
    status: 400,
    example: issuesExample,
    mutations: [
      ['errors.0.limits.max', null],
      ['errors.0.downstream_limits', { min: '9', max: '8' }],
      ['errors.0.given', '2'],
      ['errors.0.limits.min', '1'],
      ['errors.0.reason', undefined],
      ['errors.1.mitigation', undefined],
      ['errors.2.threshold', 2.5],
      ['errors.3.balance', { '#': '1.2' }],
      ['errors.3.kind', 'fund'],
      ['errors.4.withdraw_from.withdraw_account', 'RDW'],
      ['errors.4.payment_gist.destination_address', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    ],
  },
  {
    name: 'quotes',
    method: 'POST',
    path: '/payments/quotes',
    status: 200,
    example: quotesExample,
    mutations: [
      ['fault', undefined],
      ['accept_by', '2026-11-23T10:00:00.000Z'],
      ['quoted_at', '2026-11-23T11:00:00+01:00'],
      ['price_currency', 'USD'],
      [`current_prices.${USDC}`, undefined],
      ['limits.0.max', null],
      ['limits.0.source', undefined],
      ['failures.0.issues', []],
      ['failures.0.service_ids.0', 'OtherPay'],
      ['quote_request.request.output_asset', USDC.replace('a', 'A')],
      ['quote_request.onramps.0', 'otherpay'],
      ['quotes.0.onramp', undefined],
      ['quotes.0.payment_id', '0d9c3f4e-7a1b-4c2d-8e3f-4a5b6c7d8e9f'],
      ['quotes.0.output_amount.amount', '99.3'],
      ['quotes.0.fees.total_fees', '0.60000000000000000000000001'],
      ['quotes.0.fees.business_fees', '-0.1'],
      ['quotes.0.route.0.status', 'PENDING'],
      ['quotes.0.route.0.type', 'USER_FUND'],
      ['quotes.0.route.1.step_index', 0],
      ['quotes.0.route.1.net_effect.produce.1.account', 'POOL'],
      ['quotes.0.route.1.net_effect.produce.1.amount', '0.2'],
      ['quotes.0.route.1.net_effect.produce.0.tx_id', null],
      [`current_prices.${USDC}`, '1.01'],
    ],
  },
  {
    name: 'quotes without a route',
    method: 'POST',
    path: '/payments/quotes',
    status: 200,
    example: emptyQuotesExample,
    mutations: [
      ['fault', null],
      ['fault.reason', 'LOW'],
      ['fault.message', 'The amount is too low.'],
    ],
  },
  {
    name: 'a payment in tokens',
    method: 'POST',
    path: '/payments/confirm',
    status: 200,
    example: swapPaymentExample,
    mutations: [
      ['client_redirect_url', undefined],
      ['completed_at', '2026-11-23T10:08:00.000Z'],
      ['status', 'EXPIRED'],
      ['next_instruction', undefined],
      ['next_instruction.deposit_info', []],
      ['next_instruction.deposit_info.0.deposit_address', `0x${'0'.repeat(40)}`],
      ['next_instruction.funding_page_url', `https://pay.example/funding/${ID}`],
      ['next_instruction.payment_id', ID.replace('071', '073')],
      ['quoted.onramp', 'sandboxpay'],
      ['quoted.route.1.pieces_info.0.type', 'poll'],
      ['processing_addresses', []],
      ['fulfilled', undefined],
      ['fulfilled.route.0.status', undefined],
      ['fulfilled.route.1.status', 'UNREACHABLE'],
      ['fulfilled.route.0.status', 'COMPLETE'],
      ['withdrawals', []],
      ['owner_address', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
      ['destination_address', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
      ['quote_request.features', undefined],
      ['parent_payment_id', undefined],
      ['customer_id', null],
      ['initiate_fund_by', '2026-11-23T10:00:00.000Z'],
      ['issues.0', { kind: 'other', message: 'No funding issue.' }],
    ],
  },
  {
    name: 'a complete payment',
    method: 'GET',
    path: `/payments?payment_id=${ID}`,
    status: 200,
    example: completePaymentExample,
    mutations: [
      ['completed_at', undefined],
      ['funded', false],
      ['status', 'UNCONFIRMED'],
      ['status', 'WITHDRAW_PENDING'],
      ['quoted.onramp_method', undefined],
      ['fulfilled.onramp', undefined],
      ['fulfilled.route.1.transaction_hash', undefined],
      ['fulfilled.route.1.status', 'PENDING'],
      ['fulfilled.route.1.net_effect.produce.0.tx_id', undefined],
      ['fulfilled.route.0.net_effect.produce.0.tx_id', undefined],
      ['withdrawals.0.status', 'PENDING'],
      ['withdrawals.0.transaction_hash', null],
      ['geolocation.state_code', null],
    ],
  },
  {
    name: 'a page of the history',
    method: 'GET',
    path:
      '/payments/history?owner_address=0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266&limit=2' +
      `&price_currency=USD&id_query=${ID.slice(0, 8)}`,
    status: 200,
    example: historyExample,
    mutations: [
      ['payment_statuses', undefined],
      ['next_pagination_key', undefined],
      ['next_pagination_key', ''],
      ['next_pagination_key', `${ID}_2026-11-23T10:01:00.000Z`],
      ['total', 2],
      ['payment_statuses.0.status', 'UNCONFIRMED'],
      ['payment_statuses.0.created_at', '2026-11-23T10:00:59.000Z'],
      ['payment_statuses.1.payment_id', ID],
      ['payment_statuses.1.owner_address', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
      ['payment_statuses.1.price_currency', 'eur'],
      ['payment_statuses.2', completePaymentExample()],
    ],
  },
  {
    name: 'a payment that waits for verification',
    method: 'POST',
    path: '/payments/confirm',
    status: 200,
    example: unconfirmedPaymentExample,
    mutations: [
      ['status', 'PENDING'],
      ['funded', true],
      ['next_instruction.verifications', []],
      ['next_instruction.verifications.0.reason', 'OWNER'],
      ['next_instruction.verifications.1.signature_type', 'EIP191'],
      ['next_instruction.verifications.1.payload', '{}'],
      ['next_instruction.type', 'ONRAMP'],
    ],
  },
  {
    name: 'webhooks',
    method: 'GET',
    path: '/orgs/webhooks',
    status: 200,
    example: webhooksExample,
    mutations: [
      ['webhooks', undefined],
      ['webhooks.0.created_at', undefined],
      ['webhooks.0.created_at', '2026-11-23T10:00:00+01:00'],
      ['webhooks.0.signing_secret', 'whsec_0123456789abcdef'],
      ['webhooks.0.auth_header', { name: 'X-Shop-Token', value: 'open sesame' }],
      ['webhooks.0.event_types', []],
    ],
  },
  {
    name: 'a rotated secret',
    method: 'POST',
    path: '/orgs/webhooks/rotate-secret',
    status: 200,
    example: rotatedExample,
    mutations: [
      ['retire_at', undefined],
      ['retire_at', '2026-11-25'],
      ['signing_secret', undefined],
    ],
  },
  {
    name: 'deliveries',
    method: 'GET',
    path: '/orgs/webhooks/deliveries?label=orders',
    status: 200,
    example: deliveriesExample,
    mutations: [
      ['next_pagination_key', undefined],
      ['deliveries.0.status', 'PENDING'],
      ['deliveries.0.finished_at', null],
      ['deliveries.0.attempts', '1'],
      ['deliveries.0.request', {}],
    ],
  },
  {
    name: 'a delivery',
    method: 'GET',
    path: `/orgs/webhooks/deliveries/${ID}`,
    status: 200,
    example: deliveryExample,
    mutations: [
      ['attempt_log', undefined],
      ['request.headers.x-service-signature', 'v1=0xab'],
      ['attempt_log.0.answer.body', null],
      ['attempt_log.0.number', 0],
    ],
  },
  {
    name: 'a withdrawal to sign',
    method: 'POST',
    path: '/payments/withdraw',
    status: 200,
    example: withdrawalExample,
    mutations: [
      ['type', 'erc191'],
      ['withdraw_id', undefined],
      ['state_token', ''],
      ['withdraw_authorization', '{}'],
      ['withdraw_authorization', unconfirmedPayload()],
    ],
  },
  {
    name: 'an executed withdrawal',
    method: 'POST',
    path: '/payments/withdraw/confirm',
    status: 200,
    example: withdrawalStatusExample,
    mutations: [
      ['status', 'PENDING'],
      ['status', 'FAILED'],
      ['transaction_hash', null],
    ],
  },
  {
    name: 'the status of a withdrawal',
    method: 'GET',
    path: `/payments/withdraw/status?withdraw_id=${ID}`,
    status: 200,
    example: withdrawalStatusExample,
    mutations: [
      ['status', 'SENT'],
      ['transaction_hash', undefined],
      ['payment_id', ID.replace('7f80', '4f80')],
    ],
  },
];

describe.each(CASES)('$name', ({ example, mutations, ...exchange }) => {
  it('accepts an example of the specification', () => {
    expect(() => checkAnswer({ ...exchange, body: example() })).not.toThrow();
  });

  it.each(mutations)('refuses %s as %j', (...mutation) => {
    const body = mutated(example(), mutation);
    expect(() => checkAnswer({ ...exchange, body })).toThrow('against its contract');
  });
});

describe('the check of an answer', () => {
  const issue = (kind: string) => ({ errors: [{ kind, message: 'No.' }] });
  const expectAccepted = (method: string, path: string, status: number, body: unknown) =>
    expect(() => checkAnswer({ method, path, status, body })).not.toThrow();
  const expectRefused = (method: string, path: string, status: number, body: unknown) =>
    expect(() => checkAnswer({ method, path, status, body })).toThrow('against its contract');

  it('expects the kind of issue that belongs to the status', () => {
    expectAccepted('GET', '/chains', 401, issue('other'));
    expectRefused('GET', '/chains', 401, issue('unknown'));
    expectAccepted('POST', '/payments/confirm', 401, {
      errors: [{ kind: 'owner', message: 'No.', mitigation: 'verify' }],
    });
    expectAccepted('POST', '/prices', 503, issue('unknown'));
    expectRefused('POST', '/prices', 503, issue('other'));
    expectRefused('POST', '/prices', 403, validationExample());
  });

  it('expects only the statuses of the endpoint', () => {
    expectAccepted('POST', '/payments/confirm', 409, issue('other'));
    expectRefused('GET', '/payments', 409, issue('other'));
    expectRefused('GET', '/chains', 404, issue('other'));
    expectAccepted('POST', '/orgs/webhooks', 422, issue('other'));
    expectRefused('PATCH', '/orgs/webhooks', 422, issue('other'));
    expectAccepted('DELETE', '/chains', 405, issue('other'));
    expectRefused('DELETE', '/chains', 404, issue('other'));
  });

  it('tells the endpoints of deliveries and withdrawals apart', () => {
    const [delivery] = deliveriesExample().deliveries as object[];
    expectAccepted('POST', `/orgs/webhooks/deliveries/${ID}/resend`, 200, delivery);
    expectRefused('POST', `/orgs/webhooks/deliveries/${ID}/resend`, 200, deliveryExample());
    expectRefused('POST', '/orgs/webhooks/deliveries/resend-failed', 200, { resent: 1 });
    expectAccepted('POST', '/payments/withdraw/confirm', 409, issue('other'));
    expectRefused('POST', '/payments/withdraw', 409, issue('other'));
  });

  it('expects no body where none belongs', () => {
    expectAccepted('GET', '/assets', 304, '');
    expectAccepted('HEAD', '/assets', 200, '');
    expectRefused('GET', '/assets', 304, assetsExample());
  });

  it('accepts an unknown location and an answer without routes', () => {
    expectAccepted('GET', '/geolocation', 200, null);
    expectAccepted('GET', '/assets/available-outputs?inputs[]=usd', 200, {});
  });

  it('accepts a pending withdrawal when the request asks for it', () => {
    const { completed_at: _, ...payment } = completePaymentExample();
    const body = { ...payment, status: 'WITHDRAW_PENDING' };
    expectAccepted('GET', '/payments?enable_withdraw_pending=true', 200, body);
  });

  it('accepts tokens sent by hand beside the delivery of an onramp', () => {
    const payment = completePaymentExample();
    const { fulfilled } = payment as { fulfilled: { route: FundingStep[] } };
    const [onramp, ...legs] = fulfilled.route;
    if (onramp === undefined) throw new Error('the route is empty');
    const { produce } = onramp.net_effect;
    const byHand = {
      ...onramp,
      type: 'USER_FUND',
      net_effect: { consume: produce.map((entry) => ({ ...entry, account: 'USER' })), produce },
    };
    const route = [byHand, onramp, ...legs].map((step, step_index) => ({ ...step, step_index }));
    const body = { ...payment, fulfilled: { ...fulfilled, route } };
    expectAccepted('GET', '/payments', 200, body);
  });

  it('ignores other endpoints', () => {
    expectAccepted('GET', '/health/ready', 200, { anything: true });
  });

  it('lists each violation with its place, what was found and what was expected', () => {
    const body = { ...chainsExample(), Beta: { rpc: 1 } };
    expect(() => checkAnswer({ method: 'GET', path: '/chains', status: 200, body })).toThrow(
      /property name must be valid "Beta"[\s\S]*\/Beta\/rpc: must be string \(found 1\)/,
    );
  });
});
