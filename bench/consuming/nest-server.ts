// Handles events with Nest's own Kafka server, as it comes.
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { serveParent } from '../lib/worker.js';
import { handled, settingsOf, whenHandled } from './handler.js';

const { brokers, topic, group } = settingsOf(process.env);

class FactsController {
  fact(event: { id: string; subject: string }) {
    return handled(event);
  }
}
// Node strips types but knows no decorator syntax.
const method = Object.getOwnPropertyDescriptor(FactsController.prototype, 'fact') ?? {};
Controller()(FactsController);
EventPattern(topic)(FactsController.prototype, 'fact', method);

class ServiceModule {}
Module({ controllers: [FactsController] })(ServiceModule);

const app = await NestFactory.createMicroservice<MicroserviceOptions>(ServiceModule, {
  logger: false,
  transport: Transport.KAFKA,
  options: {
    client: { brokers, clientId: group },
    consumer: { groupId: group },
    subscribe: { fromBeginning: true },
  },
});
await app.listen();
serveParent(whenHandled);
