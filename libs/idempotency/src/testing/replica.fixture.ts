import { randomBytes, randomUUID } from 'node:crypto';
import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { SealedTokens } from '@bascule/sealed-tokens';
import { createServiceDatabase } from '@bascule/testing';
import type { EntityManager } from 'typeorm';
import type { AnswerSlot } from '../answer-slot.js';
import { IdempotencyRecords } from '../idempotency-records.js';
import { IdempotencyService } from '../idempotency.service.js';
import { idempotentRequest } from '../idempotent-request.js';
import type { IdempotentRequest, RequestParts } from '../idempotent-request.js';
import { idempotencyEntities, idempotencyMigrations } from '../index.js';
import { insertAnswer } from '../sealed-answer.js';

export interface Answer {
  number: number;
}

type Effect = (slot: AnswerSlot | undefined) => Promise<Answer>;

export const aSealingKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });

export const aRequest = (change: Partial<RequestParts> = {}): IdempotentRequest =>
  idempotentRequest({
    key: randomUUID(),
    route: 'POST /effects',
    bodyHash: 'aa',
    caller: { keyId: 'key-1', kind: 'secret' },
    ...change,
  });

/** Replicas of a service on one database, whose effect is a row. */
export async function startReplicas() {
  const database = await createServiceDatabase('idempotency');
  const sealingKey = aSealingKey('first');
  const model = (poolSize = database.database.poolSize) => ({
    database: { ...database.database, poolSize },
    entities: idempotencyEntities,
    migrations: idempotencyMigrations,
  });
  await runMigrationsOf(model());
  await database.rows('CREATE TABLE effects (number serial, request text)');
  const opened: { destroy(): Promise<void> }[] = [];

  /** A process of the service: nothing is shared with another one but the database. */
  async function aReplica({ keys = [sealingKey], waitMs = 60_000, poolSize = 8 } = {}) {
    const dataSource = await createDataSource(model(poolSize)).initialize();
    opened.push(dataSource);
    const records = new IdempotencyRecords(dataSource);
    const context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
    const service = new IdempotencyService(records, new SealedTokens(keys), context, waitMs);

    /** Has the effect, and answers with its number; `inside` runs before the commit. */
    const effect =
      (
        request: IdempotentRequest,
        inside: (manager: EntityManager) => Promise<unknown> = () => Promise.resolve(),
      ): Effect =>
      (slot) =>
        dataSource.transaction(async (manager) => {
          const [row]: Answer[] = await manager.query(
            'INSERT INTO effects (request) VALUES ($1) RETURNING number',
            [request.identity.toString('hex')],
          );
          const answer = { number: row?.number ?? -1 };
          if (slot) await insertAnswer(manager, await slot.seal(answer));
          await inside(manager);
          return answer;
        });

    const ask = async (
      request: IdempotentRequest,
      run: Effect = effect(request),
      finish?: (stored: Answer) => Promise<Answer | null>,
    ) => {
      const headers: Record<string, string> = {};
      const reply = { header: (name: string, value: string) => (headers[name] = value) };
      const work = { effect: run, ...(finish && { finish }) };
      return { answer: await service.answer(request, reply, work), headers };
    };
    return { records, dataSource, context, effect, ask };
  }

  return {
    database,
    sealingKey,
    aReplica,
    async effectsOf({ identity }: IdempotentRequest): Promise<number> {
      const rows = await database.rows('SELECT 1 FROM effects WHERE request = $1', [
        identity.toString('hex'),
      ]);
      return rows.length;
    },
    async stop(): Promise<void> {
      await Promise.all(opened.map((dataSource) => dataSource.destroy()));
      await database.drop();
    },
  };
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;
export type Replica = Awaited<ReturnType<Replicas['aReplica']>>;
