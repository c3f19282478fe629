import { randomUUID } from 'node:crypto';
import { conflict } from '@bascule/contracts';
import { concurrently, eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnswerSlot } from './answer-slot.js';
import type { IdempotentRequest } from './idempotent-request.js';
import { insertAnswer } from './sealed-answer.js';
import { aRequest, startReplicas } from './testing/replica.fixture.js';
import type { Answer, Replica, Replicas } from './testing/replica.fixture.js';

let replicas: Replicas;
let aReplica: Replicas['aReplica'];
let effectsOf: Replicas['effectsOf'];

beforeAll(async () => {
  replicas = await startReplicas();
  ({ aReplica, effectsOf } = replicas);
});
afterAll(() => replicas.stop());

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Has begun its effect, which waits inside its transaction for `release`. */
async function aRunning({ ask, effect }: Replica, request: IdempotentRequest) {
  const begun = Promise.withResolvers<number>();
  const released = Promise.withResolvers<void>();
  const asked = ask(
    request,
    effect(request, async (manager) => {
      const [session]: { pid: number }[] = await manager.query('SELECT pg_backend_pid() AS pid');
      begun.resolve(session?.pid ?? 0);
      await released.promise;
    }),
  );
  const result = Promise.allSettled([asked]).then(([settled]) => settled);
  const session = await begun.promise;
  return { result, session, release: released.resolve, fail: released.reject };
}

const waitersFor = async (session: number): Promise<number> => {
  const rows = await replicas.database.rows(
    'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
    [session],
  );
  return rows.length;
};

describe('concurrent requests with one Idempotency-Key', () => {
  it('have one effect and equal answers when a thousand arrive at once at two replicas', async () => {
    const both = [await aReplica(), await aReplica()] as const;
    const request = aRequest();
    const answers = await Promise.all(
      times(1_000).map((index) => both[index % 2 === 0 ? 0 : 1].ask(request)),
    );
    expect(await effectsOf(request)).toBe(1);
    expect(new Set(answers.map(({ answer }) => answer.number)).size).toBe(1);
    expect(answers.filter(({ headers }) => Object.keys(headers).length === 0)).toHaveLength(1);
  });

  it('wait for the first one without a connection', async () => {
    const replica = await aReplica({ poolSize: 2 });
    const request = aRequest();
    const running = await aRunning(replica, request);
    const waiting = Promise.all(times(1_000).map(() => replica.ask(request)));
    const unrelated = await replica.ask(aRequest());
    expect(unrelated.answer.number).toBeGreaterThan(0);
    running.release();
    const first = await running.result;
    const answers = (await waiting).map(({ answer }) => answer);
    expect(first).toMatchObject({ status: 'fulfilled', value: { answer: answers[0] } });
    expect(new Set(answers.map(({ number }) => number)).size).toBe(1);
    expect(await effectsOf(request)).toBe(1);
  });

  it('are 503 while the first one has no answer', async () => {
    const replica = await aReplica({ waitMs: 1 });
    const request = aRequest();
    const running = await aRunning(replica, request);
    await expect(replica.ask(request)).rejects.toMatchObject({ code: 'unavailable' });
    running.release();
    expect(await running.result).toMatchObject({ status: 'fulfilled' });
    expect(await replica.context.metrics.metrics()).toContain(
      'idempotency_requests_total{outcome="timed_out"} 1',
    );
  });

  it('share the refusal of the first one, which is not stored', async () => {
    const { ask } = await aReplica();
    const request = aRequest();
    const gate = Promise.withResolvers<void>();
    let tries = 0;
    const refuse = async (): Promise<Answer> => {
      tries += 1;
      await gate.promise;
      throw conflict('Not now.');
    };
    const all = Promise.allSettled(times(1_000).map(() => ask(request, refuse)));
    gate.resolve();
    const reasons = (await all).map((result) =>
      result.status === 'rejected' ? String(result.reason) : 'answered',
    );
    expect([...new Set(reasons)]).toEqual([expect.stringContaining('Not now.')]);
    expect(tries).toBe(1);
    expect((await ask(request)).headers).toEqual({});
  });

  it('have their effect later when the transaction of the first one rolled back', async () => {
    const replica = await aReplica();
    const request = aRequest();
    const running = await aRunning(replica, request);
    running.fail(conflict('The last check failed.'));
    expect(await running.result).toMatchObject({ status: 'rejected' });
    expect(await effectsOf(request)).toBe(0);
    expect((await replica.ask(request)).headers).toEqual({});
    expect(await effectsOf(request)).toBe(1);
  });

  it('have their effect at another replica when the first one dies in its transaction', async () => {
    const [one, two] = [await aReplica(), await aReplica()];
    const request = aRequest();
    const dying = await aRunning(one, request);
    const heir = two.ask(request);
    await eventually(async () => expect(await waitersFor(dying.session)).toBe(1));
    await replicas.database.rows('SELECT pg_terminate_backend($1)', [dying.session]);
    const { answer } = await heir;
    dying.release();
    expect(await dying.result).toMatchObject({ status: 'fulfilled', value: { answer } });
    expect(await effectsOf(request)).toBe(1);
  });

  it('with other bodies are refused at the same replica, once the first one has its effect', async () => {
    const replica = await aReplica();
    const key = randomUUID();
    const request = aRequest({ key });
    const running = await aRunning(replica, request);
    const others = Promise.allSettled(
      times(20).map((index) => replica.ask(aRequest({ key, bodyHash: `b${index}` }))),
    );
    running.release();
    const codes = (await others).map((result) =>
      result.status === 'rejected' ? (result.reason as { code: string }).code : 'answered',
    );
    expect(new Set(codes)).toEqual(new Set(['unprocessable']));
    expect(await effectsOf(request)).toBe(1);
  });

  it('with another body have their own effect when the first one has none', async () => {
    const { ask } = await aReplica();
    const key = randomUUID();
    const gate = Promise.withResolvers<void>();
    const refused = ask(aRequest({ key }), async () => {
      await gate.promise;
      throw conflict('Not now.');
    });
    const ended = Promise.allSettled([refused]);
    const corrected = ask(aRequest({ key, bodyHash: 'bb' }));
    gate.resolve();
    expect(await ended).toMatchObject([{ status: 'rejected' }]);
    expect((await corrected).headers).toEqual({});
  });

  it('get the stored answer while another body is being refused', async () => {
    const { ask } = await aReplica();
    const key = randomUUID();
    const { answer } = await ask(aRequest({ key }));
    const other = Promise.allSettled([ask(aRequest({ key, bodyHash: 'bb' }))]);
    expect((await ask(aRequest({ key }))).answer).toEqual(answer);
    expect(await other).toMatchObject([{ reason: { code: 'unprocessable' } }]);
  });

  it('with another body are refused when both arrive at once at two replicas', async () => {
    const [one, two] = [await aReplica(), await aReplica()];
    const key = randomUUID();
    const request = aRequest({ key });
    const running = await aRunning(one, request);
    const other = Promise.allSettled([two.ask(aRequest({ key, bodyHash: 'bb' }))]);
    await eventually(async () => expect(await waitersFor(running.session)).toBe(1));
    running.release();
    expect(await running.result).toMatchObject({ status: 'fulfilled' });
    expect(await other).toMatchObject([{ reason: { code: 'unprocessable' } }]);
    expect(await effectsOf(request)).toBe(1);
  });

  it('get the answer that was completed first, when it follows its effect', async () => {
    const both = [await aReplica(), await aReplica()] as const;
    const request = aRequest();
    const provisional = (replica: Replica) => (slot: AnswerSlot | undefined) =>
      replica.dataSource.transaction(async (manager) => {
        const identity = request.identity.toString('hex');
        await manager.query('INSERT INTO effects (request) VALUES ($1)', [identity]);
        if (slot) await insertAnswer(manager, await slot.seal({ number: 0 }, { isFinal: false }));
        return { number: 0 };
      });
    const answers = await concurrently(times(100), (index) => {
      const replica = both[index % 2 === 0 ? 0 : 1];
      const finish = () => Promise.resolve({ number: index + 1 });
      return replica.ask(request, provisional(replica), finish);
    });
    expect(new Set(answers.map(({ answer }) => answer.number)).size).toBe(1);
    expect(await effectsOf(request)).toBe(1);
  });
});
