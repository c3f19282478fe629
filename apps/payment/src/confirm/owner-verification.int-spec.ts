import type { ErrorBody, Payment, QuoteState } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { concurrently, startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { LocalAccount } from 'viem';
import {
  anOnrampPlan,
  aPlan,
  aQuote,
  aQuoteRequest,
  aQuoteState,
  ORG_ID,
  USDC,
  WETH,
} from '../testing/a-quote.fixture.js';
import { aKey, askedOf, continuation, signWith } from '../testing/owner-signatures.fixture.js';
import type { AskedVerification } from '../testing/owner-signatures.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const OTHER_ORG = '0190b2c3-0000-7000-8000-0000000000ff';
/** 0.1 WETH at 3,000 dollars. */
const LARGE = '0.1';

describe('verification of the owner of a payment', () => {
  let client: PaymentServiceClient;
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startTestChain();
    client = await PaymentServiceClient.start({ RPC_URLS_ALPHANET: chain.rpcUrl });
  });
  afterAll(async () => {
    await client.stop();
    await chain.stop();
  });

  const worth = (amount: string, overrides: Partial<QuoteState> = {}): QuoteState => {
    const quote = { ...aQuote(), output_amount: { asset: WETH, amount } };
    return aQuoteState({ quotes: [{ quote, plan: aPlan() }], ...overrides });
  };
  const confirmation = (owner: LocalAccount, state = worth(LARGE), rest: object = {}) =>
    client.aConfirmation({ owner_address: owner.address, ...rest }, state);
  const ask = async (owner: LocalAccount, state = worth(LARGE), caller: Partial<Caller> = {}) => {
    const { body } = await client.confirm(await confirmation(owner, state), caller);
    return askedOf(body);
  };
  const answer = (body: unknown, caller: Partial<Caller> = {}) =>
    client.request<Payment & ErrorBody>('/payments/confirm', { method: 'POST', body, caller });
  const isAskedAgain = async (owner: LocalAccount, state = worth(LARGE)): Promise<boolean> => {
    const { body } = await client.confirm(await confirmation(owner, state));
    return body.status === 'UNCONFIRMED';
  };
  const rowsOf = async (table: string): Promise<number> => {
    const rows: { n: number }[] = await client.admin.query(
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return rows[0]?.n ?? -1;
  };

  it('is asked for from 300 dollars on, and stores nothing', async () => {
    const owner = aKey();
    const before = [await rowsOf('payments'), await rowsOf('outbox')];
    const state = worth(LARGE);
    const { status, body } = await client.confirm(await confirmation(owner, state));
    expect(status).toBe(200);
    const id = state.quotes[0]?.quote.payment_id ?? '';
    const window = Date.parse(body.initiate_fund_by) - Date.parse(body.created_at);
    expect(window).toBe(600_000);
    expect(body).toMatchObject({
      payment_id: id,
      status: 'UNCONFIRMED',
      funded: false,
      owner_address: owner.address,
      processing_addresses: [{ chain: 'alphanet' }],
    });
    expect(body.next_instruction).toEqual({
      type: 'USER_VERIFY',
      verification_token: expect.any(String),
      verifications: [
        { reason: 'EVM_OWNER', signature_type: 'EIP191', payload: expect.any(String) },
      ],
    });
    expect([await rowsOf('payments'), await rowsOf('outbox')]).toEqual(before);
    expect((await client.request(`/payments?payment_id=${id}`)).status).toBe(404);

    const small = await client.confirm(await confirmation(owner, worth('0.099999999999999999')));
    expect(small.body.status).toBe('PENDING');
  });

  it('is asked for from the sums of the configuration on', async () => {
    const own = await PaymentServiceClient.start({
      RPC_URLS_ALPHANET: chain.rpcUrl,
      OWNER_VERIFICATION_USD: '60',
      WITHDRAWAL_SIMULATION_USD: '120',
    });
    const reasonsFor = async (amount: string) => {
      const fields = { owner_address: aKey().address };
      const { body } = await own.confirm(await own.aConfirmation(fields, worth(amount)));
      return body.status === 'UNCONFIRMED'
        ? askedOf(body).verifications.map(({ reason }) => reason)
        : [];
    };
    try {
      expect(await reasonsFor('0.0199')).toEqual([]);
      expect(await reasonsFor('0.02')).toEqual(['EVM_OWNER']);
      expect(await reasonsFor('0.04')).toEqual(['EVM_OWNER', 'EVM_WITHDRAWAL']);
    } finally {
      await own.stop();
    }
  });

  it('is decided in dollars for every price currency', async () => {
    const owner = aKey();
    const prices = { [USDC]: '0.8', [WETH]: '2400', eur: '1' };
    const state = () => worth('0.0328', { current_prices: prices, price_currency: 'eur' });
    expect((await client.confirm(await confirmation(owner, state()))).status).toBe(503);
    await client.admin.query(
      `INSERT INTO prices (asset, version, usd, observed_at) VALUES ('eur', 1, 3.82, now())`,
    );
    expect(await isAskedAgain(owner, state())).toBe(true);
    await client.admin.query(`UPDATE prices SET usd = 1.25 WHERE asset = 'eur'`);
    expect(await isAskedAgain(owner, state())).toBe(false);
  });

  it('is not decided by an outdated price', async () => {
    const owner = aKey();
    const prices = { [USDC]: '1', [WETH]: '3000', gbp: '1' };
    const state = () => worth('0.05', { current_prices: prices, price_currency: 'gbp' });
    await client.admin.query(
      `INSERT INTO prices (asset, version, usd, observed_at)
       VALUES ('gbp', 1, 1.3, now() - interval '121 seconds')`,
    );
    const before = await rowsOf('payments');
    const { status, headers } = await client.confirm(await confirmation(owner, state()));
    expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(await rowsOf('payments')).toBe(before);
    await client.admin.query(`UPDATE prices SET observed_at = now() WHERE asset = 'gbp'`);
    expect((await client.confirm(await confirmation(owner, state()))).body.status).toBe('PENDING');
  });

  it('shows the owner what the signature is for', async () => {
    const owner = aKey();
    const state = worth(LARGE);
    const [verification] = (await ask(owner, state)).verifications;
    const lines = verification?.payload.split('\n');
    expect(lines?.[0]).toBe('Confirm that you control this address');
    expect(lines).toEqual(
      expect.arrayContaining([
        'Service: Bascule (pay.example)',
        `Organisation: ${ORG_ID}`,
        `Owner: ${owner.address}`,
        `Payment: ${state.quotes[0]?.quote.payment_id}`,
        `Valid until: ${state.accept_by}`,
      ]),
    );
  });

  it('confirms the payment as it was declared, once the owner has signed', async () => {
    const owner = aKey();
    const first = await client.confirm(await confirmation(owner));
    const { status, body } = await answer(await continuation(askedOf(first.body), signWith(owner)));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'PENDING',
      next_instruction: { type: 'ONRAMP' },
      declaration: first.body.declaration,
      processing_addresses: first.body.processing_addresses,
    });
    expect(Date.parse(body.created_at)).toBeGreaterThan(Date.parse(first.body.created_at));
    const window = Date.parse(body.initiate_fund_by) - Date.parse(body.created_at);
    expect(window).toBe(600_000);
    const expiry = Number(body.declaration.expiry) * 1_000;
    expect(expiry).toBeGreaterThanOrEqual(Date.parse(body.initiate_fund_by) + 24 * 3_600_000);
    expect((await client.status(body.payment_id)).status).toBe('PENDING');
  });

  it('accepts a signature without its type', async () => {
    const owner = aKey();
    const { verification_token, signatures } = await continuation(
      await ask(owner),
      signWith(owner),
    );
    const untyped = signatures.map(({ reason, signature }) => ({ reason, signature }));
    expect((await answer({ verification_token, signatures: untyped })).body.status).toBe('PENDING');
  });

  it('is not asked for again, by any organisation', async () => {
    const owner = aKey();
    await answer(await continuation(await ask(owner), signWith(owner)));
    const lower = { owner_address: owner.address.toLowerCase() };
    const again = await client.confirm(await confirmation(owner, worth('10'), lower));
    expect(again.body.status).toBe('PENDING');
    const elsewhere = await confirmation(owner, worth(LARGE, { org_id: OTHER_ORG }));
    const { body } = await client.confirm(elsewhere, { orgId: OTHER_ORG });
    expect(body.status).toBe('PENDING');
    expect(await isAskedAgain(aKey())).toBe(true);
  });

  it('refuses a wrong signature, which may be retried', async () => {
    const owner = aKey();
    const asked = await ask(owner);
    const before = await rowsOf('payments');
    const wrong = await answer(await continuation(asked, signWith(aKey())));
    expect({ status: wrong.status, errors: wrong.body.errors }).toEqual({
      status: 401,
      errors: [{ kind: 'owner', mitigation: 'verify', message: expect.any(String) }],
    });
    expect(await rowsOf('payments')).toBe(before);
    expect(await isAskedAgain(owner)).toBe(true);
    const right = await answer(await continuation(asked, signWith(owner)));
    expect(right.body.status).toBe('PENDING');
  });

  it('refuses a signature for another payment, organisation or owner', async () => {
    const owner = aKey();
    const asked = await ask(owner);
    const foreignState = worth(LARGE, { org_id: OTHER_ORG });
    const others = [
      await ask(owner),
      await ask(owner, foreignState, { orgId: OTHER_ORG }),
      await ask(aKey()),
    ];
    for (const other of others) {
      const { signatures } = await continuation(other, signWith(owner));
      const { verification_token } = asked;
      expect((await answer({ verification_token, signatures })).status).toBe(401);
    }
    expect(await isAskedAgain(owner)).toBe(true);
  });

  const expired = async ({ verification_token }: AskedVerification, agoMs: number) => {
    const content = await client.sealed.open('verification', verification_token);
    return client.sealed.seal('verification', content, new Date(Date.now() - agoMs));
  };

  it('remembers the owner although the quote has just expired', async () => {
    const owner = aKey();
    const asked = await ask(owner);
    const verification_token = await expired(asked, 1);
    const { signatures } = await continuation(asked, signWith(owner));
    const { signatures: wrong } = await continuation(asked, signWith(aKey()));
    let before = await rowsOf('payments');
    for (const [given, isAsked] of [
      [wrong, true],
      [signatures, false],
    ] as const) {
      const { status, body } = await answer({ verification_token, signatures: given });
      expect([status, body.errors]).toMatchObject([400, [{ path: ['verification_token'] }]]);
      expect(await rowsOf('payments')).toBe(before);
      expect(await isAskedAgain(owner)).toBe(isAsked);
      before = await rowsOf('payments');
    }
  });

  it('does not verify an owner long after the quote has expired', async () => {
    const owner = aKey();
    const asked = await ask(owner);
    const { signatures } = await continuation(asked, signWith(owner));
    const before = [await rowsOf('payments'), await rowsOf('owner_verifications')];
    const verification_token = await expired(asked, 15 * 60_000 + 1);
    const { status, body } = await answer({ verification_token, signatures });
    expect([status, body.errors]).toMatchObject([400, [{ path: ['verification_token'] }]]);
    expect([await rowsOf('payments'), await rowsOf('owner_verifications')]).toEqual(before);
    expect(await isAskedAgain(owner)).toBe(true);

    const inTime = await continuation(asked, signWith(owner));
    expect((await answer(inTime)).status).toBe(200);
    expect((await answer({ verification_token, signatures })).status).toBe(409);
  });

  it('refuses altered, foreign and other tokens', async () => {
    const owner = aKey();
    const asked = await ask(owner);
    const { signatures } = await continuation(asked, signWith(owner));
    const token = asked.verification_token;
    const middle = Math.floor(token.length / 2);
    const altered =
      token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    const { state_token } = await confirmation(owner);
    for (const verification_token of [altered, 'x', '', state_token, 'x'.repeat(70_000)]) {
      const { status, body } = await answer({ verification_token, signatures });
      expect([status, body.errors]).toMatchObject([400, [{ path: ['verification_token'] }]]);
    }
    const foreign = { verification_token: token, signatures };
    expect((await answer(foreign, { orgId: OTHER_ORG })).status).toBe(403);
    expect((await answer(foreign, { permissions: ['payments:read'] })).status).toBe(403);
    const asState = await client.confirm({ ...(await confirmation(owner)), state_token: token });
    expect(asState.status).toBe(400);
    expect(await isAskedAgain(owner)).toBe(true);
  });

  it('answers replays with a conflict once the payment is confirmed', async () => {
    const owner = aKey();
    const state = worth(LARGE);
    const body = await continuation(await ask(owner, state), signWith(owner));
    const other = aKey();
    const others = await continuation(await ask(other, state), signWith(other));
    expect((await answer(body)).status).toBe(200);
    expect((await answer(body)).status).toBe(409);
    expect((await client.confirm(await confirmation(owner, state))).status).toBe(409);
    expect((await client.confirm(await confirmation(aKey(), state))).status).toBe(409);
    // Its owner counts as verified all the same.
    expect((await answer(others)).status).toBe(409);
    expect(await isAskedAgain(other)).toBe(false);
  });

  it('serves two payments that verify at once', async () => {
    const owner = aKey();
    const bodies = await Promise.all(
      [await ask(owner), await ask(owner)].map((asked) => continuation(asked, signWith(owner))),
    );
    const answers = await Promise.all(bodies.map((body) => answer(body)));
    expect(answers.map(({ body }) => body.status)).toEqual(['PENDING', 'PENDING']);
  });

  it('makes one payment of a thousand concurrent continues', async () => {
    const owner = aKey();
    const body = await continuation(await ask(owner), signWith(owner));
    const answers = await concurrently(Array<object>(1_000).fill(body), answer);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // A busy machine may refuse some before they reach the database.
    expect([200, 409, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
  });

  it('lists every problem of a continue', async () => {
    const owner = aKey();
    const { verification_token } = await ask(owner);
    const signature = `0x${'11'.repeat(65)}`;
    const problemsOf = async (body: unknown) => {
      const response = await answer(body);
      expect(response.status).toBe(400);
      return response.body.errors.map((error) => ('path' in error ? error.path.join('.') : ''));
    };
    expect(await problemsOf({ verification_token: 7, signatures: 'none' })).toEqual([
      'verification_token',
      'signatures',
    ]);
    const malformed = [
      { reason: 'EVM_LOVE', signature_type: 'EIP1', signature: 'x' },
      { reason: 'EVM_OWNER', signature: `0x${'11'.repeat(10_001)}` },
      'a signature',
    ];
    expect(await problemsOf({ verification_token, signatures: malformed })).toEqual([
      'signatures.0.reason',
      'signatures.0.signature_type',
      'signatures.0.signature',
      'signatures.1.signature',
      'signatures.2',
    ]);
    const tooMany = Array.from({ length: 11 }, () => ({ reason: 'EVM_OWNER', signature }));
    expect(await problemsOf({ verification_token, signatures: tooMany })).toEqual(['signatures']);
    expect(await problemsOf({ verification_token, signatures: [] })).toEqual(['signatures']);
    const unrequested = [
      { reason: 'EVM_WITHDRAWAL', signature },
      { reason: 'EVM_OWNER', signature_type: 'EIP712', signature },
      { reason: 'EVM_OWNER', signature },
    ];
    expect(await problemsOf({ verification_token, signatures: unrequested })).toEqual([
      'signatures.0.reason',
      'signatures.1.signature_type',
      'signatures',
    ]);
  });

  it('refuses a quote that leaves no room for its owner in a token', async () => {
    const noise = randomBytes(50_000).toString('base64');
    const stateOf = (length: number) =>
      worth(LARGE, { quote_request: { ...aQuoteRequest(), tags: [noise.slice(0, length)] } });
    const fits = (length: number) =>
      client.seal(stateOf(length)).then(
        () => true,
        () => false,
      );
    let length = noise.length;
    while (!(await fits(length))) length -= 100;
    const { status, body } = await answer(await confirmation(aKey(), stateOf(length)));
    expect([status, body.errors]).toMatchObject([400, [{ path: ['state_token'] }]]);
  });

  it('verifies the owner of an onramp too', async () => {
    const owner = aKey();
    const quote = { ...aQuote(), output_amount: { asset: WETH, amount: LARGE } };
    const state = aQuoteState({ quotes: [{ quote, plan: anOnrampPlan() }] });
    const { body } = await answer(await continuation(await ask(owner, state), signWith(owner)));
    expect(body.status).toBe('PENDING');
    const window = Number(body.declaration.expiry) * 1_000 - Date.parse(body.initiate_fund_by);
    expect(window).toBeGreaterThanOrEqual(14 * 24 * 3_600_000);
  });

  it('survives a restart and a rotation of keys', async () => {
    const owner = aKey();
    const body = await continuation(await ask(owner), signWith(owner));
    await client.rotateKeys();
    expect((await answer(body)).body.status).toBe('PENDING');
  });

  describe('the links of a customer', () => {
    const linksOf = async (customerId: string, orgId = ORG_ID): Promise<string[]> => {
      const rows: { address: string }[] = await client.admin.query(
        'SELECT address FROM owner_links WHERE org_id = $1 AND customer_id = $2 ORDER BY linked_at',
        [orgId, customerId],
      );
      return rows.map(({ address }) => address);
    };
    const verify = async (
      owner: LocalAccount,
      customer_id: string,
      { vouched = true, kind = 'secret' }: { vouched?: boolean; kind?: Caller['kind'] } = {},
    ) => {
      const quote_request = { ...aQuoteRequest(), customer_id };
      const state = worth(LARGE, { quote_request, is_customer_vouched: vouched });
      const body = await continuation(await ask(owner, state), signWith(owner));
      expect((await answer(body, { kind })).body.status).toBe('PENDING');
    };

    it('hold the addresses that secret keys have named', async () => {
      const customer = uuidv7();
      const owners = [aKey(), aKey()];
      for (const owner of owners) await verify(owner, customer);
      expect(await linksOf(customer)).toEqual(owners.map(({ address }) => address.toLowerCase()));
      expect(await linksOf(customer, OTHER_ORG)).toEqual([]);
    });

    it('never come from a publishable key', async () => {
      const customer = uuidv7();
      await verify(aKey(), customer, { kind: 'publishable' });
      await verify(aKey(), customer, { vouched: false });
      expect(await linksOf(customer)).toEqual([]);
    });

    it('never come from an expired quote', async () => {
      const customer = uuidv7();
      const owner = aKey();
      const quote_request = { ...aQuoteRequest(), customer_id: customer };
      const asked = await ask(owner, worth(LARGE, { quote_request, is_customer_vouched: true }));
      const { signatures } = await continuation(asked, signWith(owner));
      const late = { verification_token: await expired(asked, 1), signatures };
      expect((await answer(late, { kind: 'secret' })).status).toBe(400);
      expect(await isAskedAgain(owner)).toBe(false);
      expect(await linksOf(customer)).toEqual([]);
    });

    it('are limited in number', async () => {
      const customer = uuidv7();
      await client.admin.query(
        `INSERT INTO owner_links (org_id, customer_id, address, linked_at)
         SELECT $1, $2, '0x' || n, now() FROM generate_series(1, 100) AS n`,
        [ORG_ID, customer],
      );
      const owner = aKey();
      await verify(owner, customer);
      expect(await linksOf(customer)).toHaveLength(100);
      expect(await isAskedAgain(owner)).toBe(false);
    });
  });
});
