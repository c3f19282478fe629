import type { Payment, PaymentHistory, ValidationError } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { concurrently } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { recordDeposit } from '../life-cycle/funding.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit } from '../testing/a-payment.fixture.js';
import {
  aPlan,
  aQuote,
  aQuoteRequest,
  aQuoteState,
  USDC,
  WETH,
} from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const OTHER_ORG = '0190b2c3-0000-7000-8000-0000000000ff';
const MIB = 1024 * 1024;
const address = (index: number): string => `0x${index.toString(16).padStart(40, 'a')}`;

describe('GET /payments/history', () => {
  let client: PaymentServiceClient;
  let orgId = '';
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
  });
  afterAll(() => client.stop());

  /** Gives each test an organisation of its own. */
  const newOrganisation = (): void => {
    orgId = uuidv7();
  };

  async function confirmed(
    overrides: Record<string, unknown> = {},
    request: Partial<ReturnType<typeof aQuoteRequest>> = {},
  ): Promise<Payment> {
    const state = aQuoteState({
      org_id: orgId,
      quote_request: { ...aQuoteRequest(), ...request },
      quotes: [{ quote: aQuote(), plan: aPlan() }],
    });
    const { status, body } = await client.confirm(await client.aConfirmation(overrides, state), {
      orgId,
    });
    expect(status).toBe(200);
    return body;
  }

  const many = (count: number) => concurrently(Array.from({ length: count }), () => confirmed());

  const ask = (query: Record<string, string> = {}, caller: Partial<Caller> = {}) =>
    client.request<PaymentHistory & { errors: ValidationError[] }>(
      `/payments/history?${new URLSearchParams(query).toString()}`,
      { caller: { orgId, ...caller } },
    );

  async function page(
    query: Record<string, string> = {},
    caller: Partial<Caller> = {},
  ): Promise<PaymentHistory> {
    const { status, body } = await ask(query, caller);
    expect({ status, errors: body.errors }).toEqual({ status: 200 });
    return body;
  }

  const idsOf = ({ payment_statuses }: PaymentHistory): string[] =>
    payment_statuses.map(({ payment_id }) => payment_id);

  async function allPages(query: Record<string, string>): Promise<string[]> {
    const ids: string[] = [];
    let key: string | null = '';
    while (key !== null) {
      const found: PaymentHistory = await page({
        ...query,
        ...(key !== '' && { pagination_key: key }),
      });
      ids.push(...idsOf(found));
      key = found.next_pagination_key;
    }
    return ids;
  }

  const expire = (...payments: Payment[]) =>
    client.admin.query(`UPDATE payments SET status = 'EXPIRED' WHERE id = ANY($1)`, [
      payments.map(({ payment_id }) => payment_id),
    ]);

  it('lists the answers of GET /payments, newest first', async () => {
    newOrganisation();
    expect(await page()).toEqual({ payment_statuses: [], next_pagination_key: null });
    const first = await confirmed();
    const second = await confirmed();
    const deposit = aDeposit({ blockTimestamp: new Date() });
    const payments = client.service.app.get(PaymentStoreRepository);
    await payments.changeNow(first.payment_id, (payment) => recordDeposit(payment, deposit));
    const get = async ({ payment_id }: Payment) =>
      (await client.request(`/payments?payment_id=${payment_id}`, { caller: { orgId } })).body;
    expect(await page()).toEqual({
      payment_statuses: [await get(second), await get(first)],
      next_pagination_key: null,
    });
  });

  it('shows 25 payments, or as many as limit allows', async () => {
    newOrganisation();
    await many(30);
    const short = await page();
    expect(short.payment_statuses).toHaveLength(25);
    expect((await page({ limit: '30' })).next_pagination_key).toBeNull();
    expect((await page({ limit: '500' })).payment_statuses).toHaveLength(30);
    const last = short.payment_statuses.at(-1);
    expect(short.next_pagination_key).toBe(`${last?.payment_id}_${last?.created_at}`);
  });

  it('pages through payments of one instant and of statements’ batches', async () => {
    newOrganisation();
    const payments = await many(120);
    // One instant for a half of them, so that only their ids order them.
    const same = payments.slice(0, 60);
    await client.admin.query(`UPDATE payments SET created_at = $2 WHERE id = ANY($1)`, [
      same.map(({ payment_id }) => payment_id),
      '2026-11-01T10:00:00.007Z',
    ]);
    await expire(...payments.filter((_, index) => index % 3 === 0));
    const expected: { id: string }[] = await client.admin.query(
      `SELECT id FROM payments WHERE org_id = $1 ORDER BY created_at DESC, id DESC`,
      [orgId],
    );
    for (const limit of ['7', '101', '500']) {
      const all = await allPages({ category: 'ALL', limit });
      expect(all).toEqual(expected.map(({ id }) => id));
    }
    expect(await allPages({ limit: '9' })).toHaveLength(80);
  });

  it('ends a page after a mebibyte of large payments, and continues on the next one', async () => {
    newOrganisation();
    const payments = await many(30);
    // As large as the calldata of custom actions may be, in hexadecimal digits.
    await client.admin.query(
      `UPDATE payments SET quote_request = jsonb_set(quote_request, '{custom_actions}',
         jsonb_build_object('calldata', repeat('ab', 64 * 1024))) WHERE org_id = $1`,
      [orgId],
    );
    const ids: string[] = [];
    let key: string | null = '';
    while (key !== null) {
      const found: PaymentHistory = await page({
        limit: '500',
        ...(key !== '' && { pagination_key: key }),
      });
      const bytes = JSON.stringify(found).length;
      expect(bytes).toBeLessThanOrEqual(MIB);
      if (found.next_pagination_key !== null) expect(bytes).toBeGreaterThan(MIB / 2);
      ids.push(...idsOf(found));
      key = found.next_pagination_key;
    }
    expect([...ids].sort()).toEqual(payments.map(({ payment_id }) => payment_id).sort());
  });

  it('neither repeats nor skips a payment while others arrive', async () => {
    newOrganisation();
    const old = await many(12);
    const ids: string[] = [];
    let found = await page({ limit: '5' });
    ids.push(...idsOf(found));
    const fresh: Payment[] = [];
    while (found.next_pagination_key !== null) {
      fresh.push(await confirmed());
      found = await page({ limit: '5', pagination_key: found.next_pagination_key });
      ids.push(...idsOf(found));
    }
    expect(fresh.length).toBeGreaterThan(1);
    expect([...ids].sort()).toEqual(old.map(({ payment_id }) => payment_id).sort());
  });

  it('leaves out payments that expired unfunded, unless ALL are asked for', async () => {
    newOrganisation();
    const [open, expired, funded] = [await confirmed(), await confirmed(), await confirmed()];
    await expire(expired, funded);
    await client.admin.query('UPDATE payments SET funded = true WHERE id = $1', [
      funded.payment_id,
    ]);
    const newOrFunded = [funded.payment_id, open.payment_id];
    expect(idsOf(await page())).toEqual(newOrFunded);
    expect(idsOf(await page({ category: 'NEW_OR_FUNDED' }))).toEqual(newOrFunded);
    expect(idsOf(await page({ category: 'ALL' }))).toEqual([
      funded.payment_id,
      expired.payment_id,
      open.payment_id,
    ]);
  });

  it('filters by owner, destination, label and id, alone and together', async () => {
    newOrganisation();
    const mine = { owner_address: address(1), destination_address: address(2) };
    const a = await confirmed(mine, { label: 'order 1' });
    const b = await confirmed({ ...mine, destination_address: address(3) }, { label: 'order 2' });
    const c = await confirmed(
      { owner_address: address(4), destination_address: address(2) },
      { label: 'order 3' },
    );
    const expectFound = async (query: Record<string, string>, ...found: Payment[]) =>
      expect({ query, ids: idsOf(await page({ category: 'ALL', ...query })) }).toEqual({
        query,
        ids: found.map(({ payment_id }) => payment_id),
      });
    await expectFound({ owner_address: address(1) }, b, a);
    await expectFound({ owner_address: address(1).toUpperCase().replace('0X', '0x') }, b, a);
    await expectFound({ dest_address: address(2) }, c, a);
    await expectFound({ label: 'order 2' }, b);
    await expectFound({ label: 'Order 2' });
    await expectFound({ id_query: c.payment_id }, c);
    await expectFound({ id_query: c.payment_id.replaceAll('-', '').toUpperCase() }, c);
    await expectFound({ id_query: a.payment_id.slice(0, 8), owner_address: address(1) }, b, a);
    await expectFound({ id_query: uuidv7() });
    await expectFound({ owner_address: address(1), dest_address: address(2) }, a);
    await expectFound({ owner_address: address(1), label: 'order 2', dest_address: address(2) });
    await expectFound({ owner_address: address(9) });
  });

  it('shows no payment of another organisation', async () => {
    newOrganisation();
    const payment = await confirmed({ owner_address: address(1) });
    const key = `${uuidv7()}_2099-01-01T00:00:00.000Z`;
    const queries: Record<string, string>[] = [
      {},
      { category: 'ALL' },
      { owner_address: address(1) },
      { label: 'order 7' },
      { id_query: payment.payment_id },
      { pagination_key: key },
    ];
    for (const query of queries) {
      expect(idsOf(await page(query))).toEqual([payment.payment_id]);
      expect(idsOf(await page(query, { orgId: OTHER_ORG }))).toEqual([]);
    }
  });

  it('requires an owner of a publishable key, and hides customers from it', async () => {
    newOrganisation();
    const customer = { customer_id: 'c-1', tags: ['vip'], customer_ip_address: '81.2.69.142' };
    const payment = await confirmed({ owner_address: address(1) }, customer);
    const publishable = { kind: 'publishable' as const };
    const refused = await ask({ label: 'order 7' }, publishable);
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['owner_address'] }] },
    });
    const owner = { owner_address: address(1) };
    const [seen] = (await page(owner, publishable)).payment_statuses;
    const path = `/payments?payment_id=${payment.payment_id}`;
    const read = await client.request(path, { caller: { orgId, ...publishable } });
    expect(read.body).toEqual(seen);
    expect(seen).toMatchObject({ payment_id: payment.payment_id, label: 'order 7' });
    expect(JSON.stringify(seen)).not.toMatch(/customer_id|tags|customer_ip_address|c-1|vip|81\.2/);
    const [whole] = (await page(owner)).payment_statuses;
    expect(whole).toMatchObject({ customer_id: 'c-1', quote_request: customer });
    const permission = await ask(owner, { permissions: ['payments:write'] });
    expect(permission.status).toBe(403);
  });

  it('hides customers in the answer of a publishable key’s confirm', async () => {
    newOrganisation();
    const state = aQuoteState({ org_id: orgId });
    const body = await client.aConfirmation({}, state);
    const answer = await client.confirm(body, { orgId, kind: 'publishable' });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toMatch(/customer/);
    const signed = await client.aConfirmation(
      { simulate_withdrawal: true },
      aQuoteState({ org_id: orgId }),
    );
    const unconfirmed = await client.confirm(signed, { orgId, kind: 'publishable' });
    expect(unconfirmed.body).toMatchObject({ status: 'UNCONFIRMED' });
    expect(JSON.stringify(unconfirmed.body)).not.toMatch(/customer/);
  });

  it('shows prices and fees in another currency at the current rate', async () => {
    newOrganisation();
    const payment = await confirmed();
    await client.admin.query(
      `INSERT INTO prices (asset, version, usd, observed_at) VALUES ('gbp', 1, 1.25, now()),
       ('eur', 1, 1.1, now() - interval '1 hour') ON CONFLICT DO NOTHING`,
    );
    const [shown] = (await page({ price_currency: 'GBP' })).payment_statuses;
    expect(shown).toMatchObject({
      price_currency: 'gbp',
      current_prices: { [USDC]: '0.8', [WETH]: '2400', gbp: '1.0' },
      quoted: { fees: { total_fees: '1.28', currency_symbol: 'gbp' } },
    });
    const path = `/payments?payment_id=${payment.payment_id}&price_currency=`;
    const get = (currency: string) => client.request(path + currency, { caller: { orgId } });
    expect((await get('gbp')).body).toEqual(shown);
    expect((await get('usd')).body).toMatchObject({ price_currency: 'usd' });
    for (const currency of ['eur', 'xyz']) {
      const errors = [
        { code: 'custom', path: ['price_currency'], message: `No current price of ${currency}.` },
      ];
      expect(await get(currency)).toMatchObject({ status: 400, body: { errors } });
      expect(await ask({ price_currency: currency })).toMatchObject({
        status: 400,
        body: { errors },
      });
    }
    newOrganisation();
    expect((await ask({ price_currency: 'xyz' })).status).toBe(400);
  });

  it('keeps a payment in its own currency while that has no current price, and converts the others', async () => {
    newOrganisation();
    const [other, unpriced] = [await confirmed(), await confirmed()];
    await client.admin.query(
      `UPDATE payments SET price_currency = 'jpy',
         quoted = jsonb_set(quoted, '{fees,currency_symbol}', '"jpy"') WHERE id = $1`,
      [unpriced.payment_id],
    );
    await client.admin.query(
      `INSERT INTO prices (asset, version, usd, observed_at) VALUES ('gbp', 1, 1.25, now())
       ON CONFLICT (asset) DO UPDATE SET usd = 1.25, observed_at = now()`,
    );
    const [stored] = (await page()).payment_statuses;
    expect(stored).toMatchObject({
      payment_id: unpriced.payment_id,
      price_currency: 'jpy',
      quoted: { fees: { currency_symbol: 'jpy' } },
    });
    for (const currency of ['usd', 'gbp']) {
      const { payment_statuses: shown } = await page({ price_currency: currency });
      expect(shown).toMatchObject([
        { payment_id: unpriced.payment_id },
        { payment_id: other.payment_id, price_currency: currency },
      ]);
      const { current_prices, quoted, fulfilled, price_currency } = shown[0] ?? {};
      expect({ current_prices, quoted, fulfilled, price_currency }).toEqual({
        current_prices: stored?.current_prices,
        quoted: stored?.quoted,
        fulfilled: stored?.fulfilled,
        price_currency: 'jpy',
      });
      const path = `/payments?payment_id=${unpriced.payment_id}&price_currency=${currency}`;
      expect((await client.request(path, { caller: { orgId } })).body).toEqual(shown[0]);
    }
    expect((await ask({ price_currency: 'jpy' })).status).toBe(400);
  });

  it.each([
    [{ limit: '0' }, 'limit', 'too_small'],
    [{ limit: '501' }, 'limit', 'too_big'],
    [{ limit: '-1' }, 'limit', 'invalid_type'],
    [{ limit: '2.5' }, 'limit', 'invalid_type'],
    [{ limit: '' }, 'limit', 'invalid_type'],
    [{ category: 'NEW' }, 'category', 'invalid_value'],
    [{ owner_address: '0x12' }, 'owner_address', 'invalid_format'],
    [{ dest_address: '' }, 'dest_address', 'invalid_format'],
    [{ id_query: '0190b2c' }, 'id_query', 'invalid_format'],
    [{ id_query: 'order 7' }, 'id_query', 'invalid_format'],
    [{ label: 'x'.repeat(256) }, 'label', 'too_big'],
    [{ pagination_key: '2' }, 'pagination_key', 'invalid_format'],
    [
      { pagination_key: `${OTHER_ORG}_2026-02-30T00:00:00.000Z` },
      'pagination_key',
      'invalid_format',
    ],
    [{ price_currency: 'dollars' }, 'price_currency', 'invalid_format'],
    [{ enable_withdraw_pending: 'x' }, 'enable_withdraw_pending', 'invalid_type'],
  ])('refuses %j', async (query, field, code) => {
    const { status, body } = await ask(query);
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ code, path: [field] }],
    });
  });
});
