import type { ErrorBody, PaymentState, ValidationError } from '@bascule/contracts';
import {
  contractAddresses,
  declarationHash,
  developmentAddresses,
  oneTimeWalletAddress,
  parseDeclaration,
} from '@bascule/solidity';
import { concurrently, eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { getAddress } from 'viem';
import { DESTINATION, OWNER } from '../testing/a-payment.fixture.js';
import {
  anOnrampPlan,
  anOnrampQuote,
  aPlan,
  aQuote,
  aQuoteRequest,
  aQuoteState,
  FEE_RECEIVER,
  ORG_ID,
  USDC,
  WETH,
} from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const OTHER_ORG = '0190b2c3-0000-7000-8000-0000000000ff';
const FACTORY = contractAddresses.oneTimeWalletFactory;

describe('POST /payments/confirm', () => {
  let client: PaymentServiceClient;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
  });
  afterAll(() => client.stop());

  const storedRows = async (): Promise<number> => {
    const rows: { n: number }[] = await client.admin.query(
      `SELECT (SELECT count(*) FROM payments)::int + (SELECT count(*) FROM legs)::int
         + (SELECT count(*) FROM watched_wallets)::int AS n`,
    );
    return rows[0]?.n ?? -1;
  };
  /** Asserts the refusal's body, and that nothing was stored. */
  const refused = async (
    body: Record<string, unknown>,
    caller = {},
  ): Promise<{ status: number; errors: ErrorBody['errors'] }> => {
    const before = await storedRows();
    const options = { method: 'POST', body, caller };
    const answer = await client.request<ErrorBody>('/payments/confirm', options);
    expect(await storedRows()).toBe(before);
    return { status: answer.status, errors: answer.body.errors };
  };
  const fieldsOf = (errors: ErrorBody['errors']): unknown[] =>
    errors.map((error) => (error as ValidationError).path[0]).sort();

  it('returns the payment with its deposit instruction', async () => {
    const quote = aQuote();
    const state = aQuoteState({ quotes: [{ quote, plan: aPlan() }] });
    const { status, body } = await client.confirm(await client.aConfirmation({}, state));
    expect(status).toBe(200);
    const { payment_id: _, ...quoted } = quote;
    const [address] = body.processing_addresses;
    expect(body).toEqual({
      payment_id: quote.payment_id,
      org_id: ORG_ID,
      status: 'PENDING',
      funded: false,
      created_at: expect.any(String),
      updated_at: body.created_at,
      initiate_fund_by: new Date(Date.parse(body.created_at) + 600_000).toISOString(),
      quoted,
      fulfilled: {
        route: quote.route.map((step) => ({ ...step, status: 'PENDING' })),
        output_amount: { asset: WETH, amount: '0' },
        fees: expect.objectContaining({ total_fees: '0', currency_symbol: 'usd' }),
      },
      current_prices: state.current_prices,
      price_currency: 'usd',
      processing_addresses: [{ chain: 'alphanet', address: address?.address, factory: FACTORY }],
      owner_chain: 'alphanet',
      owner_address: OWNER,
      destination_address: DESTINATION,
      withdrawals: null,
      client_redirect_url: null,
      geolocation: null,
      declaration: expect.any(Object),
      quote_request: aQuoteRequest(),
      customer_id: 'customer-1',
      label: 'order 7',
      next_instruction: {
        type: 'ONRAMP',
        payment_id: quote.payment_id,
        funding_page_url: expect.stringMatching(
          new RegExp(`^https://pay.example/funding/${quote.payment_id}\\?token=[\\w.-]+$`),
        ),
        deposit_info: [
          {
            deposit_token: USDC,
            deposit_amount: '100',
            deposit_address: address?.address,
            deposit_chain: 'alphanet',
          },
        ],
      },
      issues: [],
    });
  });

  it('accepts and shows a request of a fixed output', async () => {
    const fixed_output_amount = { asset: WETH, amount: '0.03' };
    const request = { kind: 'FIXED_OUTPUT' as const, fixed_output_amount, input_asset: USDC };
    const quote_request = { ...aQuoteRequest(), request, hops: [] };
    const state = aQuoteState({ quote_request });
    const { status, body } = await client.confirm(await client.aConfirmation({}, state));
    expect(status).toBe(200);
    expect(body.quote_request).toEqual(quote_request);
    const { quote_request: stored } = await client.status(body.payment_id);
    expect(stored).toEqual(quote_request);
  });

  it('signs the link to its funding page for this payment only', async () => {
    const payment = await client.confirmed();
    const { next_instruction: instruction } = payment;
    const link = instruction?.type === 'ONRAMP' ? instruction.funding_page_url : '';
    const token = new URL(link).searchParams.get('token') ?? '';
    const { payload, protectedHeader } = await jwtVerify(token, client.fundingPublicKey, {
      issuer: 'payment',
      audience: 'funding',
    });
    expect(protectedHeader.kid).toBe('funding-1');
    expect(payload).toMatchObject({ payment_id: payment.payment_id, org_id: ORG_ID });
    const again = await client.status(payment.payment_id);
    expect(again.next_instruction).toEqual(instruction);
  });

  it('declares the plan and derives the wallet from the declaration', async () => {
    const payment = await client.confirmed();
    const declaration = parseDeclaration(payment.declaration);
    const [leg] = payment.declaration.legs;
    expect(payment.processing_addresses[0]?.address).toBe(oneTimeWalletAddress(declaration));
    expect(payment.declaration).toMatchObject({
      payment_id: payment.payment_id,
      owner: OWNER,
      destination: DESTINATION,
    });
    const expiry = Math.ceil(Date.parse(payment.initiate_fund_by) / 1_000) + 24 * 3_600;
    expect(payment.declaration.expiry).toBe(String(expiry));
    expect(leg).toEqual({
      chain_id: '31337',
      input_token: expect.any(String),
      max_input: '100000000',
      fees: [{ receiver: getAddress(FEE_RECEIVER), cap: '1000000' }],
      output_token: expect.any(String),
      min_output: '32636000000000000',
      custom_calls: [],
      bridge_adapter: '0x0000000000000000000000000000000000000000',
      min_bridged: '0',
    });
    const rows: { declaration_hash: string }[] = await client.admin.query(
      'SELECT declaration_hash FROM payments WHERE id = $1',
      [payment.payment_id],
    );
    expect(rows[0]?.declaration_hash).toBe(declarationHash(declaration));
  });

  it('gives onramps fourteen days to deliver', async () => {
    const state = aQuoteState({ quotes: [{ quote: anOnrampQuote(), plan: anOnrampPlan() }] });
    const payment = await client.confirmed({}, state);
    const window =
      Number(payment.declaration.expiry) * 1_000 - Date.parse(payment.initiate_fund_by);
    expect(window).toBeGreaterThanOrEqual(14 * 24 * 3_600_000);
    expect(payment).toMatchObject({
      quoted: { onramp: 'swiftramp', onramp_method: 'CREDIT_CARD' },
      fulfilled: { onramp: 'swiftramp' },
    });
  });

  it('stores the payment, leg, wallet and event in one statement', async () => {
    const payment = await client.confirmed();
    const id = payment.payment_id;
    const wallets: { address: string }[] = await client.admin.query(
      'SELECT address FROM watched_wallets WHERE payment_id = $1',
      [id],
    );
    expect(wallets).toEqual([{ address: payment.processing_addresses[0]?.address.toLowerCase() }]);
    const made: unknown[] = await client.admin.query(
      `SELECT xmin FROM payments WHERE id = $1 UNION SELECT xmin FROM legs WHERE payment_id = $1
       UNION SELECT xmin FROM watched_wallets WHERE payment_id = $1`,
      [id],
    );
    expect(made).toHaveLength(1);
    const events = await eventually(async () => {
      const found = await client.events<PaymentState>(id);
      expect(found).toHaveLength(1);
      return found;
    });
    const { next_instruction: __, ...publicState } = payment;
    expect(events[0]).toMatchObject({ type: 'payment.confirmed', source: 'payment', subject: id });
    expect(events[0]?.data).toEqual({
      version: 1,
      payment: publicState,
      required_deposit: { token: USDC, amount: '100000000' },
      senders: 'CLEAR',
      intent_orders: [],
    });
  });

  it('accepts every option', async () => {
    const payment = await client.confirmed({
      owner_address: OWNER.toLowerCase(),
      destination_address: DESTINATION.toUpperCase().replace('0X', '0x'),
      owner_chain: 'alphanet',
      client_redirect_url: 'myshop://done?order=7',
      client_redirect_after: 'COMPLETED',
      payment_expiration_minutes: 1,
      allow_unsafe_owner: true,
      unknown_field: 'ignored',
    });
    expect(payment).toMatchObject({
      owner_address: OWNER,
      destination_address: DESTINATION,
      client_redirect_url: 'myshop://done?order=7',
    });
    const window = Date.parse(payment.initiate_fund_by) - Date.parse(payment.created_at);
    expect(window).toBe(60_000);
  });

  it('waits 1 to 60 minutes for funding, 10 by default', async () => {
    const minutes = async (fields: object) => {
      const { initiate_fund_by, created_at } = await client.confirmed({ ...fields });
      return (Date.parse(initiate_fund_by) - Date.parse(created_at)) / 60_000;
    };
    expect(await minutes({})).toBe(10);
    expect(await minutes({ payment_expiration_minutes: 1 })).toBe(1);
    expect(await minutes({ payment_expiration_minutes: 60 })).toBe(60);
    for (const payment_expiration_minutes of [0, 61, 1.5, '10']) {
      const body = await client.aConfirmation({ payment_expiration_minutes });
      const { status, errors } = await refused(body);
      expect([status, fieldsOf(errors)]).toEqual([400, ['payment_expiration_minutes']]);
    }
  });

  it('returns a conflict for a second confirm', async () => {
    const body = await client.aConfirmation();
    expect((await client.confirm(body)).status).toBe(200);
    const { status, errors } = await refused(body);
    expect({ status, errors }).toEqual({
      status: 409,
      errors: [{ kind: 'other', message: expect.any(String) }],
    });
  });

  it('accepts exactly one of a thousand concurrent confirms', async () => {
    const body = await client.aConfirmation();
    const bodies = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 === 0 ? body : { ...body, destination_address: OWNER },
    );
    const answers = await concurrently(bodies, (each) => client.confirm(each));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // A busy machine may refuse some before they reach the database.
    expect([200, 409, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
    const winner = answers.find(({ status }) => status === 200)?.body;
    const stored = await client.status(String(body['payment_id']));
    expect(stored.destination_address).toBe(winner?.destination_address);
    expect(stored.processing_addresses).toEqual(winner?.processing_addresses);
  });

  it('lists every problem of a request', async () => {
    const { status, errors } = await refused({
      payment_id: 'seven',
      owner_address: `0x${'0'.repeat(40)}`,
      destination_address: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8',
      owner_chain: 'nowhere',
      client_redirect_url: 'javascript:alert(1)',
      client_redirect_after: 'NEVER',
      payment_expiration_minutes: 61,
      simulate_withdrawal: 'yes',
    });
    expect(status).toBe(400);
    expect(fieldsOf(errors)).toEqual([
      'client_redirect_after',
      'client_redirect_url',
      'destination_address',
      'owner_address',
      'owner_chain',
      'payment_expiration_minutes',
      'payment_id',
      'simulate_withdrawal',
      'state_token',
    ]);
    for (const error of errors) expect(error).toMatchObject({ code: expect.any(String) });
  });

  it.each([
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the first precompile', `0x${'0'.repeat(39)}1`],
    ['a precompile of pairings', `0x${'0'.repeat(38)}11`],
    ['a precompile of rollups', `0x${'0'.repeat(37)}100`],
    ['a wrong checksum', '0x70997970c51812dc3A010C7d01b50e0d17dc79C8'],
    ['the factory', FACTORY],
    ['the converter', contractAddresses.converter],
    ['the factory of action runners', contractAddresses.actionRunnerFactory],
    ['the executor', developmentAddresses.executor],
    ['the wrapped native currency', developmentAddresses.weth],
    ['the intent escrow', developmentAddresses.intentEscrow],
    ['the oracle of the escrow', developmentAddresses.attesterOracle],
    ['the multicall contract', developmentAddresses.multicall3],
    ['the implementation of wallets', contractAddresses.oneTimeWalletImplementation],
  ])('refuses %s as owner and as destination', async (_, address) => {
    for (const field of ['owner_address', 'destination_address']) {
      const { status, errors } = await refused(await client.aConfirmation({ [field]: address }));
      expect({ status, errors }).toMatchObject({
        status: 400,
        errors: [{ code: 'custom', path: [field] }],
      });
    }
  });

  it.each(['owner_address', 'destination_address'])(
    'refuses a token of the payment as %s',
    async (field) => {
      for (const token of [USDC, WETH]) {
        const address = token.slice(token.indexOf(':') + 1);
        const { status, errors } = await refused(await client.aConfirmation({ [field]: address }));
        expect(status).toBe(400);
        expect(fieldsOf(errors)).toEqual([field]);
      }
    },
  );

  it.each([
    ['calldata that does not decode', { calldata: '0x123' }],
    ['calldata too short for a function', { calldata: '0x1234' }],
    ['a precompile as target', { target: `0x${'0'.repeat(38)}04` }],
    ['a value that is no amount', { value: '1e18' }],
  ])('refuses a custom action with %s', async (_, overrides) => {
    const quote_request = aQuoteRequest();
    const type = 'CallImmediateAction' as const;
    const call = { type, target: USDC.slice(9), value: '0', calldata: '0x12345678', ...overrides };
    quote_request.request.custom_actions = { actions: [call], user_estimated_gas: '50000' };
    const { status, errors } = await refused(
      await client.aConfirmation({}, aQuoteState({ quote_request })),
    );
    expect(status).toBe(400);
    expect(errors).toEqual([
      {
        code: 'custom',
        path: ['state_token'],
        message: expect.stringContaining('Custom action 0'),
      },
    ]);
  });

  it('accepts another payment’s wallet as destination', async () => {
    const parent = await client.confirmed();
    const wallet = parent.processing_addresses[0]?.address;
    expect((await client.confirmed({ destination_address: wallet })).status).toBe('PENDING');
  });

  it.each([
    `status = 'TAINTED'`,
    `status = 'COMPLETE', senders = 'TAINTED'`,
    `status = 'WITHDRAW_PENDING', status_before_withdrawal = 'TAINTED'`,
  ])('refuses to retry a frozen payment: %s', async (frozen) => {
    const parent = await client.confirmed();
    const { payment_id: parent_payment_id } = parent;
    const state = aQuoteState({ quote_request: { ...aQuoteRequest(), parent_payment_id } });
    const body = await client.aConfirmation({}, state);
    await client.admin.query(`UPDATE payments SET ${frozen} WHERE id = $1`, [parent_payment_id]);
    const answer = await client.request('/payments/confirm', { method: 'POST', body });
    expect(answer).toMatchObject({ status: 403, body: { errors: [{ kind: 'other' }] } });
  });

  it('requires the parent of a retry to be of the same organisation', async () => {
    const parent = await client.confirmed();
    const retryOf = (parent_payment_id: string, org_id = ORG_ID) =>
      aQuoteState({ org_id, quote_request: { ...aQuoteRequest(), parent_payment_id } });
    const child = await client.confirmed({}, retryOf(parent.payment_id));
    expect(child.parent_payment_id).toBe(parent.payment_id);

    const unknown = await client.aConfirmation({}, retryOf(uuidv7()));
    expect((await refused(unknown)).status).toBe(404);
    const foreign = await client.aConfirmation({}, retryOf(parent.payment_id, OTHER_ORG));
    expect((await refused(foreign, { orgId: OTHER_ORG })).status).toBe(403);
  });

  it('requires the quoted destination for custom actions', async () => {
    const quote_request = aQuoteRequest();
    const target = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
    quote_request.request = {
      ...quote_request.request,
      dest_address: DESTINATION,
      custom_actions: {
        actions: [{ type: 'CallImmediateAction', target, value: '0', calldata: '0x12345678' }],
        user_estimated_gas: '50000',
      },
    };
    const state = aQuoteState({ quote_request });
    const other = await refused(await client.aConfirmation({ destination_address: OWNER }, state));
    expect(other.status).toBe(400);
    expect(fieldsOf(other.errors)).toEqual(['destination_address']);
  });

  it('refuses an altered, expired or foreign state token', async () => {
    const state = aQuoteState();
    const body = await client.aConfirmation({}, state);
    const token = String(body['state_token']);
    const middle = Math.floor(token.length / 2);
    const flipped = token[middle] === 'A' ? 'B' : 'A';
    const altered = token.slice(0, middle) + flipped + token.slice(middle + 1);
    const soon = new Date(Date.now() + 60_000);
    const tokens = [
      altered,
      'nonsense',
      await client.sealed.seal('withdrawal', aQuoteState(), soon),
      await client.sealed.seal('quote', state, new Date(Date.now() - 1)),
    ];
    for (const state_token of tokens) {
      const { status, errors } = await refused({ ...body, state_token });
      expect(status).toBe(400);
      expect(fieldsOf(errors)).toEqual(['state_token']);
    }
  });

  it('redeems a state token after a restart and a rotation of keys, by any replica', async () => {
    const bodies = [await client.aConfirmation(), await client.aConfirmation()];
    await client.rotateKeys();
    const replica = await client.startAnother();
    try {
      for (const [index, at] of [client.service.url, replica.url].entries()) {
        const options = { method: 'POST', body: bodies[index], at };
        expect((await client.request('/payments/confirm', options)).status).toBe(200);
      }
    } finally {
      await replica.shutdown({ graceMs: 0 });
    }
  });

  it('refuses a quote after its acceptance', async () => {
    const state = aQuoteState({ accept_by: new Date(Date.now() - 1).toISOString() });
    const body = await client.aConfirmation();
    const state_token = await client.sealed.seal('quote', state, new Date(Date.now() + 60_000));
    const payment_id = state.quotes[0]?.quote.payment_id;
    expect((await refused({ ...body, state_token, payment_id })).status).toBe(400);
  });

  it('recognises an accepted payment after its quote has expired', async () => {
    const state = aQuoteState();
    const body = await client.aConfirmation({}, state);
    expect((await client.confirm(body)).status).toBe(200);
    const past = new Date(Date.now() - 1);
    const late = { ...state, accept_by: past.toISOString() };
    const expired = await client.sealed.seal('quote', state, past);
    const closed = await client.sealed.seal('quote', late, new Date(Date.now() + 60_000));
    for (const state_token of [expired, closed]) {
      expect((await refused({ ...body, state_token })).status).toBe(409);
      expect((await refused({ ...body, state_token }, { orgId: OTHER_ORG })).status).toBe(403);
    }
  });

  it('refuses another organisation’s quote and an id outside the token', async () => {
    const body = await client.aConfirmation();
    expect((await refused(body, { orgId: OTHER_ORG })).status).toBe(403);
    expect((await refused({ ...body, payment_id: uuidv7() })).status).toBe(404);
  });

  it('treats an optional field that is null as absent', async () => {
    const body = await client.aConfirmation({
      verification_token: null,
      owner_chain: null,
      client_redirect_url: null,
      client_redirect_after: null,
      payment_expiration_minutes: null,
    });
    expect((await client.confirm(body)).status).toBe(200);
  });

  it('is unavailable until the catalogue lists the token', async () => {
    const plan = aPlan();
    const token = `alphanet:0x${'7'.repeat(40)}` as const;
    const state = aQuoteState({
      quotes: [{ quote: aQuote(), plan: { ...plan, deposit: { ...plan.deposit, token } } }],
    });
    expect((await refused(await client.aConfirmation({}, state))).status).toBe(503);
  });

  it('requires an internal token with write access to payments', async () => {
    const body = await client.aConfirmation();
    const missing = await refused(body, { permissions: ['payments:read'] });
    expect(missing.status).toBe(403);
    const response = await fetch(`${client.service.url}/payments/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(401);
  });
});
