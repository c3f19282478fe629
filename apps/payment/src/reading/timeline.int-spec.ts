import type { ErrorBody, PaymentTimeline, TimelineEntry } from '@bascule/contracts';
import { concurrently } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { confirmDeposits, forgetDeposits, recordDeposit } from '../life-cycle/funding.js';
import { legSettled, legSubmitted } from '../life-cycle/legs.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { READ_ENTRIES } from '../persistence/timeline.repository.js';
import { aDeposit, aSettlement, HASH, OWNER } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, aQuoteRequest, aQuoteState, USDC } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { TimelineReaderService } from './timeline-reader.service.js';
import { DUST_ROOM, ROOM } from '../timeline/room.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const OTHER_ORG = '0190b2c3-0000-7000-8000-0000000000ff';

describe('GET /payments/timeline', () => {
  let client: PaymentServiceClient;
  let payments: PaymentStoreRepository;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
    payments = client.service.app.get(PaymentStoreRepository);
  });
  afterAll(() => client.stop());

  const get = (query: string, caller = {}) =>
    client.request<PaymentTimeline & ErrorBody>(`/payments/timeline${query}`, {
      caller: { kind: 'secret', ...caller },
    });
  const timelineOf = async (paymentId: string, query = ''): Promise<PaymentTimeline> => {
    const { status, body } = await get(`?payment_id=${paymentId}${query}`);
    expect(status).toBe(200);
    return body;
  };
  const typesOf = ({ entries }: PaymentTimeline): string[] => entries.map(({ type }) => type);
  const sequencesOf = (entries: readonly TimelineEntry[]): number[] =>
    entries.map(({ sequence }) => sequence);
  const upTo = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);
  const retryOf = (parent: string, paymentId = uuidv7()) =>
    aQuoteState({
      quotes: [{ quote: aQuote(paymentId), plan: aPlan() }],
      quote_request: { ...aQuoteRequest(), parent_payment_id: parent },
    });

  it('tells a wait once, however often it is noted', async () => {
    const { payment_id: id } = await client.confirmed();
    const dataSource = client.service.app.get(DataSource);
    const note = (reason: string): Promise<void> =>
      dataSource.transaction((manager) =>
        payments.note(manager, id, { type: 'leg.waiting', facts: { leg: 0, reason } }),
      );
    await Promise.all([1, 2, 3].map(() => note('balance too low')));
    // Deposits of strangers in between repeat no wait.
    const dust = aDeposit({ amount: 1n, confirmed: false, blockTimestamp: new Date() });
    await payments.changeNow(id, (payment) => recordDeposit(payment, dust));
    await note('balance too low');
    await note('screening unavailable');
    await note('balance too low');
    const { entries } = await timelineOf(id);
    expect(entries.map(({ type, reason }) => [type, reason])).toEqual([
      ['payment.confirmed', undefined],
      ['leg.waiting', 'balance too low'],
      ['deposit.seen', undefined],
      ['leg.waiting', 'screening unavailable'],
      ['leg.waiting', 'balance too low'],
    ]);
    expect(sequencesOf(entries)).toEqual(upTo(5));
  });

  it('tells every fact of a payment in order, and what it waits for', async () => {
    const confirmation = await client.aConfirmation();
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    const { body: confirmed } = await client.request<{ payment_id: string }>('/payments/confirm', {
      method: 'POST',
      body: confirmation,
      headers: { traceparent },
    });
    const id = confirmed.payment_id;
    expect(await timelineOf(id)).toMatchObject({
      payment_id: id,
      status: 'PENDING',
      waits_for: { kind: 'DEPOSIT', token: USDC, amount: '100' },
      funds: [],
      omitted: [],
      next_pagination_key: null,
      entries: [{ sequence: 1, type: 'payment.confirmed', cause: 'client', trace_id: TRACE }],
    });
    const deposit = aDeposit({ confirmed: false, blockTimestamp: new Date() });
    await payments.changeNow(id, (payment) => recordDeposit(payment, deposit));
    await payments.changeNow(id, (payment) => confirmDeposits(payment, 'alphanet', 11n));
    const sent = { attempt: 1, nextLookAt: null };
    await payments.changeNow(id, (payment) => legSubmitted(payment, 0, sent));
    expect(await timelineOf(id)).toMatchObject({ waits_for: { kind: 'TRANSACTION' } });
    await payments.changeNow(id, (payment, now) =>
      legSettled(payment, 0, aSettlement(), HASH, now),
    );
    const timeline = await timelineOf(id);
    // The service looks for the money, which is on no chain, once the payment is funded.
    const entries = timeline.entries.filter(({ type }) => type !== 'leg.waiting');
    expect(typesOf({ ...timeline, entries })).toEqual([
      'payment.confirmed',
      'deposit.seen',
      'deposit.confirmed',
      'payment.funded',
      'leg.submitted',
      'leg.executed',
      'payment.status_changed',
    ]);
    expect(timeline).toMatchObject({
      status: 'COMPLETE',
      waits_for: null,
      funds: [{ place: 'DESTINATION', amount: '0.0329' }],
    });
    expect(sequencesOf(timeline.entries)).toEqual(upTo(timeline.entries.length));
    expect(new Set(entries.map(({ trace_id }) => trace_id))).toEqual(new Set([TRACE]));
    const times = timeline.entries.slice(1).map(({ time }) => time);
    expect(times).toEqual([...times].sort());
    expect(JSON.stringify(timeline).toLowerCase()).not.toContain(OWNER.toLowerCase().slice(2));
  });

  it('is for secret keys of the payment’s organisation', async () => {
    const { payment_id } = await client.confirmed();
    const query = `?payment_id=${payment_id}`;
    expect((await get(query, { kind: 'publishable' })).status).toBe(403);
    expect((await get(query, { orgId: OTHER_ORG })).status).toBe(403);
    expect((await get(query, { permissions: [] })).status).toBe(403);
    expect((await get(`?payment_id=${uuidv7()}`)).status).toBe(404);
  });

  it.each([
    ['', 'payment_id'],
    ['?payment_id=seven', 'payment_id'],
    [`?payment_id=${uuidv7()}&limit=0`, 'limit'],
    [`?payment_id=${uuidv7()}&limit=501`, 'limit'],
    [`?payment_id=${uuidv7()}&limit=ten`, 'limit'],
    [`?payment_id=${uuidv7()}&pagination_key=-1`, 'pagination_key'],
    [`?payment_id=${uuidv7()}&pagination_key=9999999999`, 'pagination_key'],
    [`?payment_id=${uuidv7()}&pagination_key[]=1`, 'pagination_key'],
  ])('refuses the query %j', async (query, field) => {
    const { status, body } = await get(query);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: [field] }] } });
  });

  it('is read in pages', async () => {
    const { payment_id } = await client.confirmed();
    for (let part = 0; part < 2; part += 1) {
      const deposit = aDeposit({ amount: 10_000_000n, blockTimestamp: new Date() });
      await payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    }
    const whole = await timelineOf(payment_id);
    const pages: TimelineEntry[][] = [];
    for (let key: string | null = '0'; key !== null;) {
      const page: PaymentTimeline = await timelineOf(payment_id, `&limit=2&pagination_key=${key}`);
      pages.push(page.entries);
      key = page.next_pagination_key;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2]);
    expect(pages.flat()).toEqual(whole.entries);
    expect((await timelineOf(payment_id, '&pagination_key=99')).entries).toEqual([]);
  });

  it('numbers concurrent changes without gaps', async () => {
    const { payment_id } = await client.confirmed();
    await Promise.all(
      Array.from({ length: 12 }, () => {
        const deposit = aDeposit({ amount: 1_000_000n, blockTimestamp: new Date() });
        return payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
      }),
    );
    const { entries } = await timelineOf(payment_id);
    // One more says that the payment is funded in part.
    expect(sequencesOf(entries)).toEqual(upTo(1 + 12 * 2 + 1));
  });

  it('has no entry of a change that was rolled back, and one of a change that was repeated', async () => {
    const { payment_id } = await client.confirmed();
    const dataSource = client.service.app.get(DataSource);
    const deposit = aDeposit({ amount: 1_000_000n, blockTimestamp: new Date() });
    const change = dataSource.transaction(async (manager) => {
      await payments.change(manager, payment_id, (payment) => recordDeposit(payment, deposit));
      throw new Error('the process stops here');
    });
    await expect(change).rejects.toThrow('stops here');
    expect(typesOf(await timelineOf(payment_id))).toEqual(['payment.confirmed']);
    for (let time = 0; time < 2; time += 1) {
      await payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    }
    expect(typesOf(await timelineOf(payment_id))).toEqual([
      'payment.confirmed',
      'deposit.seen',
      'deposit.confirmed',
      'payment.funded_in_part',
    ]);
  });

  it('keeps what a reorg undid, and adds the reorg', async () => {
    const { payment_id } = await client.confirmed();
    const deposit = aDeposit({ amount: 1_000_000n, blockTimestamp: new Date() });
    await payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    const before = await timelineOf(payment_id);
    await payments.changeNow(payment_id, (payment) => forgetDeposits(payment, 'alphanet', 11n));
    const after = await timelineOf(payment_id);
    expect(after.entries.slice(0, before.entries.length)).toEqual(before.entries);
    expect(typesOf(after).slice(before.entries.length)).toEqual([
      'deposit.reorganised',
      'payment.unfunded',
    ]);
  });

  it.each([
    `UPDATE timeline_entries SET type = 'deposit.seen'`,
    'DELETE FROM timeline_entries',
    'TRUNCATE timeline_entries',
  ])('refuses %j in its database', async (statement) => {
    const dataSource = client.service.app.get(DataSource);
    await expect(dataSource.query(statement)).rejects.toThrow('append-only');
  });

  it('tells the retries of a payment, each once', async () => {
    const { payment_id } = await client.confirmed();
    const [first, second] = [uuidv7(), uuidv7()];
    const bodies = await Promise.all(
      [first, second].map((id) => client.aConfirmation({}, retryOf(payment_id, id))),
    );
    const answers = await concurrently([...bodies, ...bodies, ...bodies], (body) =>
      client.confirm(body),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    const { entries } = await timelineOf(payment_id);
    expect(sequencesOf(entries)).toEqual([1, 2, 3]);
    expect(entries.slice(1).map(({ type }) => type)).toEqual([
      'retry.confirmed',
      'retry.confirmed',
    ]);
    expect(entries.map(({ retry_payment_id }) => retry_payment_id)).toEqual(
      expect.arrayContaining([first, second]),
    );
    const child = await timelineOf(first);
    expect(child.entries[0]).toMatchObject({ parent_payment_id: payment_id });
  });

  it('counts dust that strangers send without end, and keeps real deposits', async () => {
    const { payment_id } = await client.confirmed();
    const flood = Array.from({ length: 300 }, () =>
      aDeposit({ amount: 1n, blockTimestamp: new Date() }),
    );
    await payments.changeNow(payment_id, (payment) => flood.reduce(recordDeposit, payment));
    const real = aDeposit({ blockTimestamp: new Date() });
    await payments.changeNow(payment_id, (payment) => recordDeposit(payment, real));
    const page = await timelineOf(payment_id, `&limit=500`);
    const tail = page.entries.slice(DUST_ROOM);
    expect(tail.map(({ type }) => type)).toEqual([
      'payment.funded_in_part',
      'deposit.seen',
      'deposit.confirmed',
      'payment.funded',
    ]);
    expect(tail[1]).toMatchObject({ transaction_hash: real.transactionHash });
    const total = page.omitted.reduce((sum, { count }) => sum + count, 0);
    expect(page.omitted.map(({ type }) => type)).toEqual(['deposit.confirmed', 'deposit.seen']);
    expect(total + DUST_ROOM - 1).toBe(600);
  });

  it('counts retries beyond its room', async () => {
    const { payment_id } = await client.confirmed();
    await client.admin.query('UPDATE payments SET timeline_length = $2 WHERE id = $1', [
      payment_id,
      ROOM,
    ]);
    for (let retry = 0; retry < 2; retry += 1) await client.confirmed({}, retryOf(payment_id));
    const { entries, omitted } = await timelineOf(payment_id);
    expect(entries).toHaveLength(1);
    expect(omitted).toEqual([{ type: 'retry.confirmed', count: 2, last_time: expect.any(String) }]);
  });

  it('shows no entry that is newer than the state beside it', async () => {
    const { payment_id: id } = await client.confirmed();
    const before = await client.service.app.get(PaymentReaderRepository).find(id);
    if (before === null) throw new Error('expected the payment');
    const deposit = aDeposit({ amount: 1_000_000n, blockTimestamp: new Date() });
    await payments.changeNow(id, (payment) => recordDeposit(payment, deposit));
    const pages = client.service.app.get(TimelineReaderService);
    const page = await pages.page(before, { after: 0, limit: 100 });
    expect([page.funds, typesOf(page)]).toEqual([[], ['payment.confirmed']]);
    expect(page.next_pagination_key).toBeNull();
    expect(typesOf(await timelineOf(id))).toContain('deposit.seen');
  });

  it('is read by its key', async () => {
    const dataSource = client.service.app.get(DataSource);
    const plan: Record<string, string>[] = await dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      return manager.query(`EXPLAIN ${READ_ENTRIES}`, [uuidv7(), 0, 10, 100]);
    });
    const lines = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(lines).toContain('timeline_entries_pkey');
    expect(lines).not.toContain('Seq Scan');
  });
});
