// Handles events as our services do: MessagingModule as it comes, in a Nest application.
import 'reflect-metadata';
import { attachEventServer, MessagingModule } from '@bascule/messaging';
import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import { type DatabaseConfig, PersistenceModule } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { serveParent } from '../lib/worker.js';
import { handled, settingsOf, whenHandled } from './handler.js';

const { brokers, topic, group } = settingsOf(process.env);
const database = JSON.parse(process.env['DATABASE'] ?? '{}') as DatabaseConfig;
const context = new ServiceContext({ name: group, environment: 'bench', logLevel: 'silent' });

class FactsController {
  fact(event: { id: string; subject: string }) {
    return handled(event);
  }
}
const method = Object.getOwnPropertyDescriptor(FactsController.prototype, 'fact') ?? {};
Controller()(FactsController);
EventPattern(topic)(FactsController.prototype, 'fact', method);

class ContextModule {}
Module({
  providers: [{ provide: ServiceContext, useValue: context }],
  exports: [ServiceContext],
})(ContextModule);

class ServiceModule {}
Module({
  imports: [
    { module: ContextModule, global: true },
    PersistenceModule.register({
      database,
      entities: messagingEntities,
      migrations: messagingMigrations,
    }),
    MessagingModule.register({
      group,
      publishes: false,
      consumes: true,
      environment: 'bench',
      kafka: { brokers },
    }),
  ],
  controllers: [FactsController],
})(ServiceModule);

const app = await NestFactory.create(ServiceModule, new FastifyAdapter(), { logger: false });
attachEventServer(app);
await app.startAllMicroservices();
serveParent(whenHandled);
