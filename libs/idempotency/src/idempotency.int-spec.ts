import { randomUUID } from 'node:crypto';
import { conflict } from '@bascule/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnswerSlot } from './answer-slot.js';
import type { IdempotentRequest } from './idempotent-request.js';
import { RecordPurge } from './record-purge.js';
import { insertAnswer } from './sealed-answer.js';
import { aRequest, aSealingKey, startReplicas } from './testing/replica.fixture.js';
import type { Answer, Replica, Replicas } from './testing/replica.fixture.js';

let replicas: Replicas;
let database: Replicas['database'];
let aReplica: Replicas['aReplica'];
let effectsOf: Replicas['effectsOf'];

beforeAll(async () => {
  replicas = await startReplicas();
  ({ database, aReplica, effectsOf } = replicas);
});
afterAll(() => replicas.stop());

const expire = ({ identity }: IdempotentRequest) =>
  database.rows(
    `UPDATE idempotency_records SET expires_at = now() - interval '1 second' WHERE identity = $1`,
    [identity],
  );

describe('a request with an Idempotency-Key', () => {
  it('has one effect, and its first answer is replayed by any replica', async () => {
    const [one, two] = [await aReplica(), await aReplica()];
    const request = aRequest();
    const first = await one.ask(request);
    expect(first.headers).toEqual({});
    for (const replica of [one, two]) {
      expect(await replica.ask(request)).toEqual({
        answer: first.answer,
        headers: { 'idempotency-replayed': 'true' },
      });
    }
    expect(await effectsOf(request)).toBe(1);
  });

  it('is refused with another body, unless the key is publishable', async () => {
    const { ask } = await aReplica();
    const key = randomUUID();
    await ask(aRequest({ key }));
    const other = aRequest({ key, bodyHash: 'bb' });
    await expect(ask(other)).rejects.toMatchObject({ code: 'unprocessable' });
    const caller = { keyId: 'key-1', kind: 'publishable' as const };
    const [first, second] = [
      await ask(aRequest({ key, caller })),
      await ask(aRequest({ key, caller, bodyHash: 'bb' })),
    ];
    expect(second.answer).not.toEqual(first.answer);
  });

  it('is tried again after an answer without an effect', async () => {
    const { ask } = await aReplica();
    const request = aRequest();
    const refuse = () => Promise.reject(conflict('Not now.'));
    await expect(ask(request, refuse)).rejects.toMatchObject({ code: 'conflict' });
    const unconfirmed = { number: 0 };
    expect(await ask(request, () => Promise.resolve(unconfirmed))).toEqual({
      answer: unconfirmed,
      headers: {},
    });
    expect((await ask(request)).answer.number).toBeGreaterThan(0);
    expect(await effectsOf(request)).toBe(1);
  });

  it('receives the stored answer when the acknowledgement of its commit is lost', async () => {
    const { ask, effect } = await aReplica();
    const request = aRequest();
    const committed: Answer[] = [];
    const { answer } = await ask(request, async (slot) => {
      committed.push(await effect(request)(slot));
      throw new Error('connection terminated');
    });
    expect(committed).toEqual([answer]);
  });

  it('has its effect again after 24 hours', async () => {
    const { ask } = await aReplica();
    const request = aRequest();
    const first = await ask(request);
    const [kept] = await database.rows<{ hours: number }>(
      `SELECT extract(epoch FROM expires_at - now())::float8 / 3600 AS hours
       FROM idempotency_records WHERE identity = $1`,
      [request.identity],
    );
    expect(kept?.hours).toBeGreaterThan(23.9);
    expect(kept?.hours).toBeLessThanOrEqual(24);
    await expire(request);
    const second = await ask(request);
    expect(second.headers).toEqual({});
    expect(second.answer).not.toEqual(first.answer);
  });
});

describe('an answer that follows its effect', () => {
  const provisional =
    (replica: Replica, request: IdempotentRequest) => (slot: AnswerSlot | undefined) =>
      replica.dataSource.transaction(async (manager) => {
        const identity = request.identity.toString('hex');
        await manager.query('INSERT INTO effects (request) VALUES ($1)', [identity]);
        if (slot) await insertAnswer(manager, await slot.seal({ number: 0 }, { isFinal: false }));
        return { number: 0 };
      });

  it('is completed by the next request when the first one crashed or its client left', async () => {
    const [one, two] = [await aReplica(), await aReplica()];
    const request = aRequest();
    const crash = () => Promise.reject(new Error('the process crashed'));
    await expect(one.ask(request, provisional(one, request), crash)).rejects.toThrow('crashed');
    const left = () => Promise.resolve(null);
    expect((await one.ask(request, provisional(one, request), left)).answer.number).toBe(0);
    const finish = () => Promise.resolve({ number: 7 });
    const completed = await two.ask(request, provisional(two, request), finish);
    expect(completed.answer.number).toBe(7);
    const late = () => Promise.resolve({ number: 8 });
    expect(await one.ask(request, provisional(one, request), late)).toEqual({
      answer: { number: 7 },
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(await effectsOf(request)).toBe(1);
  });
});

describe('a stored answer', () => {
  it('is encrypted, and readable until its key is removed', async () => {
    const { ask } = await aReplica();
    const request = aRequest();
    const secret = 'whsec_open_sesame';
    const answer = { number: 1, secret };
    await ask(request, async (slot) => {
      const { dataSource } = await aReplica();
      if (slot) await insertAnswer(dataSource.manager, await slot.seal(answer));
      return answer;
    });
    const rows = await database.rows<{ identity: Buffer; answer: string }>(
      'SELECT identity, answer FROM idempotency_records WHERE identity = $1',
      [request.identity],
    );
    const stored = rows.map((row) =>
      row.answer
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
        .join(),
    );
    expect(stored).toHaveLength(1);
    expect(stored.join()).not.toContain('sesame');
    const next = aSealingKey('second');
    const rotated = await aReplica({ keys: [next, replicas.sealingKey] });
    expect((await rotated.ask(request)).answer).toEqual(answer);
    const late = await aReplica({ keys: [next] });
    await expect(late.ask(request)).rejects.toThrow('not valid');
    expect(await effectsOf(request)).toBe(0);
  });

  it('is not given to another request to which its row was copied', async () => {
    const { ask } = await aReplica();
    const [request, other] = [aRequest(), aRequest()];
    await ask(request);
    await database.rows(
      `INSERT INTO idempotency_records (identity, answer, is_final, expires_at)
       SELECT $2, answer, is_final, expires_at FROM idempotency_records WHERE identity = $1`,
      [request.identity, other.identity],
    );
    await expect(ask(other)).rejects.toThrow('belongs to another request');
  });

  it('is deleted in batches after 24 hours, by its index', async () => {
    const { ask, records, context } = await aReplica();
    const live = aRequest();
    await ask(live);
    await database.rows(
      `INSERT INTO idempotency_records (identity, answer, is_final, expires_at)
       SELECT sha256(n::text::bytea), '', true, now() - n * interval '1 second'
       FROM generate_series(1, 2500) AS n`,
    );
    expect(await records.overdueSeconds()).toBeGreaterThanOrEqual(2_500);
    expect(await records.purge(10)).toBe(10);
    await new RecordPurge(records, context).run();
    expect(await records.overdueSeconds()).toBe(0);
    expect(await records.find(live.identity)).not.toBeNull();
    expect(await context.metrics.metrics()).toContain('idempotency_records_purged_total 2490');
    await database.rows('SET enable_seqscan = off');
    const plan = await database.rows<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT identity FROM idempotency_records WHERE expires_at <= now() - interval '1 day'
       ORDER BY expires_at LIMIT 1000`,
    );
    expect(JSON.stringify(plan)).toContain('idempotency_records_expires_at_idx');
  });
});
