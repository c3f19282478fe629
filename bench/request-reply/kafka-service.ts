// Answers over Kafka with Nest's own server, as it comes.
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { serveParent } from '../lib/worker.js';
import { answerAfter, REQUEST_TOPIC } from './exchange.js';

class StatusController {
  status(request: { work_ms: number }) {
    return answerAfter(request.work_ms);
  }
}
const method = Object.getOwnPropertyDescriptor(StatusController.prototype, 'status') ?? {};
Controller()(StatusController);
MessagePattern(REQUEST_TOPIC)(StatusController.prototype, 'status', method);
Payload()(StatusController.prototype, 'status', 0);

class ServiceModule {}
Module({ controllers: [StatusController] })(ServiceModule);

const app = await NestFactory.createMicroservice<MicroserviceOptions>(ServiceModule, {
  logger: false,
  transport: Transport.KAFKA,
  options: {
    client: { brokers: (process.env['KAFKA_BROKERS'] ?? '').split(','), clientId: 'status' },
    consumer: { groupId: 'status' },
  },
});
await app.listen();
serveParent();
