import { TOPICS } from '@bascule/contracts';
import { PersistenceModule, pendingSchemaChanges, runMigrationsOf } from '@bascule/persistence';
import { currentTraceparent, runInTrace, ServiceContext } from '@bascule/process';
import { createServiceDatabase, eventually, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import 'reflect-metadata';
import {
  attachEventServer,
  DeadLetters,
  EventContext,
  MessagingModule,
  messagingEntities,
  messagingMigrations,
  Outbox,
  TRANSPORT,
} from './index.js';
import type { Transport } from './transport/transport.js';

interface PriceFact {
  subject: string;
  data: { version: number; asset: string };
}

const handled: { key: string; version: number; topic: string }[] = [];
const tried: { key: string; traceparent: string | undefined }[] = [];
let failing = false;

@Controller()
class PriceConsumer {
  @EventPattern<Record<string, PriceFact>>(TOPICS.price.name)
  async on(@Payload() event: PriceFact, @Ctx() context: unknown): Promise<void> {
    await Promise.resolve();
    tried.push({ key: event.subject, traceparent: currentTraceparent() });
    if (failing) throw new Error(`no room for ${event.data.asset}`);
    handled.push({
      key: event.subject,
      version: event.data.version,
      topic: context instanceof EventContext ? context.address.topic : 'none',
    });
  }
}

describe('MessagingModule in an application', () => {
  let service: ServiceDatabase;
  let context: ServiceContext;
  let app: INestApplicationContext;

  beforeAll(async () => {
    service = await createServiceDatabase('quotes');
    const model = {
      database: service.database,
      entities: messagingEntities,
      migrations: messagingMigrations,
    };
    await runMigrationsOf(model);
    context = new ServiceContext({ name: 'quotes', environment: 'test', logLevel: 'silent' });

    @Module({
      providers: [{ provide: ServiceContext, useValue: context }],
      exports: [ServiceContext],
    })
    class ContextModule {}

    @Module({
      imports: [
        { module: ContextModule, global: true },
        PersistenceModule.register(model),
        MessagingModule.register({
          group: 'quotes',
          publishes: true,
          consumes: true,
          environment: 'test',
          tuning: { pollMs: 50, standbyMs: 50, retryDelaysMs: [30] },
        }),
      ],
      controllers: [PriceConsumer],
    })
    class QuotesModule {}

    const application = await NestFactory.create(QuotesModule, new FastifyAdapter(), {
      logger: false,
      abortOnError: false,
    });
    app = application;
    expect(attachEventServer(application)).toBe(true);
    await application.startAllMicroservices();
  });
  afterAll(async () => {
    await context.shutdown.run(5_000);
    await app.close();
    await service.drop();
  });

  const observe = (asset: string, version: number): Promise<void> =>
    app.get(DataSource).transaction((manager) =>
      app.get(Outbox).append(manager, {
        topic: TOPICS.price,
        type: 'price.observed',
        key: asset,
        data: { asset, version },
      }),
    );

  it('carries a committed event to the handler of its topic', async () => {
    await observe('usd', 1);
    await eventually(() => {
      expect(handled).toEqual([{ key: 'usd', version: 1, topic: TOPICS.price.name }]);
    });
  });

  it('keeps the handler’s own reason, which Nest would mask, and replays a dead letter', async () => {
    failing = true;
    await observe('eur', 1);
    const deadLetters = app.get(DeadLetters);
    const [letter] = await eventually(async () => {
      const found = await deadLetters.list({ limit: 10 });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(letter).toMatchObject({ key: 'eur', attempts: 2, reason: 'Error: no room for eur' });
    failing = false;
    expect(await deadLetters.replay(letter?.id ?? '', 'a test')).toBe('done');
    await eventually(() => {
      expect(handled.at(-1)).toMatchObject({ key: 'eur' });
    });
    expect(await deadLetters.replay('999999', 'a test')).toBe('not found');
  });

  it('handles an event in the trace it was appended in, also when it was parked or replayed', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    failing = true;
    await runInTrace(traceparent, () => observe('gbp', 1));
    const letter = await eventually(async () => {
      const found = await app.get(DeadLetters).list({ limit: 10 });
      const [mine] = found.filter(({ key }) => key === 'gbp');
      if (mine === undefined) throw new Error('not dead yet');
      return mine;
    });
    failing = false;
    await app.get(DeadLetters).replay(letter.id, 'a test');
    await eventually(() => expect(handled.at(-1)).toMatchObject({ key: 'gbp' }));
    const traces = tried.filter(({ key }) => key === 'gbp').map((each) => each.traceparent);
    expect(traces).toEqual([traceparent, traceparent, traceparent]);
  });

  it('is ready once it has caught up, and reports its backlog', async () => {
    await eventually(async () => {
      expect(await context.health.evaluateReady()).toMatchObject({
        ok: true,
        checks: { database: true, schema: true, events: true, topics: true },
      });
    });
    expect((await context.health.evaluateLive()).ok).toBe(true);
    // The row of a handled event is deleted a moment later.
    await eventually(async () => {
      const metrics = await context.metrics.metrics();
      for (const line of [
        `messaging_consumer_lag{topic="${TOPICS.price.name}"} 0`,
        'messaging_broker_reachable 1',
        'messaging_parked_events 0',
        'messaging_dead_letters 0\n',
        'messaging_outbox_backlog 0',
        'messaging_outbox_oldest_seconds 0',
        'messaging_relay_leader 1',
      ]) {
        expect(metrics).toContain(line);
      }
    });
  });

  it('has tables that agree with its entities', async () => {
    expect(await pendingSchemaChanges(app.get(DataSource))).toEqual([]);
  });

  it('publishes the last events before its transport closes', async () => {
    const transport = app.get<Transport>(TRANSPORT);
    const steps: string[] = [];
    let isLast: () => void = () => undefined;
    const last = new Promise<void>((resolve) => (isLast = resolve));
    const publish = transport.publish.bind(transport);
    const close = transport.close.bind(transport);
    transport.publish = async (records) => {
      await last;
      await publish(records);
      steps.push('published');
    };
    transport.close = () => {
      steps.push('closed');
      return close();
    };
    context.shutdown.add('relay', 'the end of the test', () => Promise.resolve(isLast()));
    await observe('chf', 1);
    await context.shutdown.run(10_000);
    expect(steps).toEqual(['published', 'closed']);
  });
});
