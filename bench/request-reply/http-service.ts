// Answers over HTTP: Nest on Fastify, as our services are.
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { serveParent } from '../lib/worker.js';
import { answerAfter } from './exchange.js';

class StatusController {
  status(request: { work_ms: number }) {
    return answerAfter(request.work_ms);
  }
}
// Node strips types but knows no decorator syntax.
const method = Object.getOwnPropertyDescriptor(StatusController.prototype, 'status') ?? {};
Controller()(StatusController);
Post('/status')(StatusController.prototype, 'status', method);
HttpCode(200)(StatusController.prototype, 'status', method);
Body()(StatusController.prototype, 'status', 0);

class ServiceModule {}
Module({ controllers: [StatusController] })(ServiceModule);

const app = await NestFactory.create(ServiceModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
serveParent();
