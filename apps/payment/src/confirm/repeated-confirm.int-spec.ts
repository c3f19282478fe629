import type { ErrorBody, Payment } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { concurrently, FaultTrap, startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPlan, aQuote, aQuoteState, WETH } from '../testing/a-quote.fixture.js';
import { aKey, askedOf, continuation, signWith } from '../testing/owner-signatures.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const publishable: Partial<Caller> = { kind: 'publishable' };

describe('POST /payments/confirm with an Idempotency-Key', () => {
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

  const confirm = (
    body: unknown,
    key: string,
    { caller = {}, at }: { caller?: Partial<Caller>; at?: string } = {},
  ) =>
    client.request<Payment & ErrorBody>('/payments/confirm', {
      method: 'POST',
      body,
      caller,
      headers: { 'idempotency-key': key },
      ...(at !== undefined && { at }),
    });
  const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed');
  const rowsOf = async (id: string): Promise<number> => {
    const rows: unknown[] = await client.admin.query('SELECT 1 FROM payments WHERE id = $1', [id]);
    return rows.length;
  };

  it('repeats the first answer, byte by byte, although the payment has changed', async () => {
    const key = randomUUID();
    const body = await client.aConfirmation();
    const first = await confirm(body, key);
    expect([first.status, replayed(first)]).toEqual([200, null]);
    const { payment_id } = first.body;
    await client.admin.query(`UPDATE payments SET status = 'EXPIRED' WHERE id = $1`, [payment_id]);
    const second = await confirm(body, key);
    expect([second.status, replayed(second)]).toEqual([200, 'true']);
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect((await client.confirm(body)).status).toBe(409);
    expect((await confirm(body, randomUUID())).status).toBe(409);
  });

  it('repeats it after a restart with a new sealing key', async () => {
    const key = randomUUID();
    const body = await client.aConfirmation();
    const first = await confirm(body, key);
    await client.rotateKeys();
    expect((await confirm(body, key)).body).toEqual(first.body);
  });

  it('confirms once when a thousand requests arrive at two processes', async () => {
    const another = await client.startAnother();
    const key = randomUUID();
    const body = await client.aConfirmation();
    const answers = await concurrently(
      Array.from({ length: 1_000 }, (_, index) => index % 2 === 0),
      (isThere) => confirm(body, key, isThere ? { at: another.url } : {}),
    );
    await another.shutdown({ graceMs: 0 });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await rowsOf(String(body['payment_id']))).toBe(1);
  });

  it('confirms one of two payments with one key, and refuses the other body', async () => {
    const another = await client.startAnother();
    const key = randomUUID();
    const bodies = [await client.aConfirmation(), await client.aConfirmation()];
    const answers = await Promise.all(
      bodies.map((body, index) => confirm(body, key, index === 0 ? { at: another.url } : {})),
    );
    await another.shutdown({ graceMs: 0 });
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const stored = await Promise.all(bodies.map((body) => rowsOf(String(body['payment_id']))));
    expect(stored.sort()).toEqual([0, 1]);
  });

  it('lets visitors with the same publishable key and idempotency key confirm their own payments', async () => {
    const key = randomUUID();
    const [one, two] = [await client.aConfirmation(), await client.aConfirmation()];
    const first = await confirm(one, key, { caller: publishable });
    const second = await confirm(two, key, { caller: publishable });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.payment_id).not.toBe(first.body.payment_id);
    const again = await confirm(one, key, { caller: publishable });
    expect([again.body, replayed(again)]).toEqual([first.body, 'true']);
    expect(JSON.stringify([first.body, again.body])).not.toContain('customer-1');
  });

  it('stores neither refusals nor a payment that its owner has to sign', async () => {
    const key = randomUUID();
    const owner = aKey();
    const quote = { ...aQuote(), output_amount: { asset: WETH, amount: '0.1' } };
    const state = aQuoteState({ quotes: [{ quote, plan: aPlan() }] });
    const body = await client.aConfirmation({ owner_address: owner.address }, state);
    expect((await confirm({ ...body, owner_address: 'me' }, key)).status).toBe(400);
    const asked = await confirm(body, key);
    expect(asked.body.status).toBe('UNCONFIRMED');
    expect(replayed(await confirm(body, key))).toBeNull();

    const signed = await continuation(askedOf(asked.body), signWith(owner));
    const confirmed = await confirm(signed, key);
    expect([confirmed.body.status, replayed(confirmed)]).toEqual(['PENDING', null]);
    const repeated = await confirm(signed, key);
    expect([repeated.body, replayed(repeated)]).toEqual([confirmed.body, 'true']);
  });

  it('checks the permission before it looks for an answer', async () => {
    const key = randomUUID();
    const body = await client.aConfirmation();
    expect((await confirm(body, key)).status).toBe(200);
    const caller: Partial<Caller> = { permissions: ['payments:read'] };
    expect((await confirm(body, key, { caller })).status).toBe(403);
    expect((await confirm(body, key, { caller: { keyId: randomUUID() } })).status).toBe(409);
  });

  it('repeats the answer that a process stored before it died', async () => {
    const trap = new FaultTrap();
    const died = trap.arm('payment.confirmed', 1);
    const key = randomUUID();
    const body = await client.aConfirmation();
    const answer = await confirm(body, key);
    await died;
    trap.disarm();
    expect(answer.status).toBe(200);
    expect((await confirm(body, key)).body).toEqual(answer.body);
    expect(await rowsOf(String(body['payment_id']))).toBe(1);
  });
});
