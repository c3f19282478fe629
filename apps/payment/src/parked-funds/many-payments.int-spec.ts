import type { ParkedFundsResponse } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { forgetDeposits, recordDeposit } from '../life-cycle/funding.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit } from '../testing/a-payment.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { parsePageKey } from './page-key.js';

const WALLETS_PER_PAGE = 100;

/** Without chains no wallet is ever known to be empty: the longest list. */
describe('parked funds of an owner of many payments', () => {
  let client: PaymentServiceClient;
  let owner = '';
  /** Newest first. */
  let ids: string[] = [];
  beforeAll(async () => {
    client = await PaymentServiceClient.start({ MAX_UNFUNDED_PAYMENTS: '100000' });
  });
  afterAll(() => client.stop());

  /** Confirms one payment of a new owner, and copies its row; one a second. */
  async function ownerOf(count: number): Promise<void> {
    owner = privateKeyToAddress(generatePrivateKey());
    const { payment_id } = await client.confirmed({ owner_address: owner });
    await client.admin.query(
      `INSERT INTO payments
       SELECT (jsonb_populate_record(p, jsonb_build_object(
         'id', gen_random_uuid(), 'created_at', p.created_at - n * interval '1 second'))).*
       FROM payments p, generate_series(1, $2::int - 1) AS n WHERE p.id = $1`,
      [payment_id, count],
    );
    const rows: { id: string }[] = await client.admin.query(
      'SELECT id FROM payments WHERE owner_address = $1 ORDER BY created_at DESC',
      [owner],
    );
    ids = rows.map(({ id }) => id);
  }

  const at = (index: number): string => {
    const id = ids.at(index);
    if (id === undefined) throw new Error('expected a payment at this place');
    return id;
  };
  const change = (id: string, mutate: Parameters<PaymentStoreRepository['changeNow']>[1]) =>
    client.service.app.get(PaymentStoreRepository).changeNow(id, mutate);
  const fund = (id: string) =>
    change(id, (payment) =>
      recordDeposit(payment, aDeposit({ amount: 1_000_000n, blockTimestamp: new Date() })),
    );
  const empty = (id: string) => change(id, (payment) => forgetDeposits(payment, 'alphanet', 0n));
  /** Moves changes before the start of later lists. */
  const settle = () =>
    client.admin.query(`UPDATE payments SET updated_at = updated_at - interval '1 hour'`);

  async function page(key: string | null): Promise<{ found: string[]; next: string | null }> {
    const body = { owner_address: owner, ...(key !== null && { pagination_key: key }) };
    const answer = await client.request<ParkedFundsResponse>('/payments/issues', {
      method: 'POST',
      body,
    });
    expect(answer.status).toBe(200);
    const { issues, next_pagination_key: next } = answer.body;
    const found = issues.flatMap(({ withdraw_from: from }) =>
      from && 'payment_id' in from ? from.payment_id : [],
    );
    return { found, next };
  }

  /** Asks for every page; `before` runs before the page of a number, the first is 1. */
  async function walk(before: (number: number, key: string | null) => Promise<unknown>) {
    const pages: string[][] = [];
    let key: string | null = null;
    do {
      await before(pages.length + 1, key);
      const { found, next }: Awaited<ReturnType<typeof page>> = await page(key);
      pages.push(found);
      key = next;
    } while (key !== null);
    return pages;
  }

  const named = (key: string | null): string => {
    const parsed = key === null ? null : parsePageKey(key);
    if (parsed === null) throw new Error('expected a key');
    return parsed.paymentId;
  };

  it('are on the first page of 10,000 payments, and every page has at most 100 wallets', async () => {
    await ownerOf(10_000);
    const parked = [at(1), at(5_000), at(-1)];
    for (const id of parked) await fund(id);
    await settle();
    const pages = await walk(() => Promise.resolve());
    expect(pages[0]).toEqual(parked);
    expect(pages.flat()).toEqual(parked);
    expect(pages).toHaveLength(10_000 / WALLETS_PER_PAGE);
  });

  it('are found when they arrive between two pages, also in the payment that the key names', async () => {
    await ownerOf(350);
    await fund(at(200));
    await settle();
    let last = '';
    const pages = await walk(async (number, key) => {
      if (number !== 3) return;
      last = named(key);
      await fund(last);
      await fund(at(-1));
    });
    expect(pages.map((found) => found.length)).toEqual([1, 0, 0, 1]);
    expect(pages.flat()).toEqual([at(200), at(-1)]);
    expect(last).toBe(at(198));
  });

  it('are listed to the end when the payment that the key names loses its own', async () => {
    await ownerOf(250);
    for (const id of ids) await fund(id);
    await settle();
    let last = '';
    const pages = await walk(async (number, key) => {
      if (number !== 2) return;
      last = named(key);
      await empty(last);
      await empty(at(150));
    });
    expect(last).toBe(at(99));
    expect(pages[0]).toEqual(ids.slice(0, 100));
    expect(pages.flat()).toEqual(ids.filter((id) => id !== at(150)));
  });
});
