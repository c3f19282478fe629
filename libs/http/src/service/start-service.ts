import type { AddressInfo } from 'node:net';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { attachEventServer } from '@bascule/messaging';
import { ServiceContext } from '@bascule/process';
import { ErrorFilter } from '../errors/error.filter.js';
import { InternalTokenGuard } from '../identity/internal-token.guard.js';
import { InternalTokenVerifier } from '../identity/internal-token-verifier.js';
import { useBodyParser } from '../server/body-parser.js';
import { fastifyOptions } from '../server/fastify-options.js';
import { HttpIntake } from '../server/http-intake.js';
import { serveOperationalRoutes } from '../server/operational-routes.js';
import { observeRequests } from '../server/request-observation.js';
import { RequestValidationPipe } from '../validation/request-validation.pipe.js';
import type { HttpConfig } from './http-config.js';
import { nestLogger, withNestLogger } from './nest-logger.js';
import type { RunningService, ServiceDefinition } from './service-definition.js';
import { ServiceLife } from './service-life.js';
import { ServiceRootModule } from './service-root.module.js';

/** Starts one service; a process may hold several, so nothing here is global. */
export async function startService<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
  env: NodeJS.ProcessEnv,
): Promise<RunningService> {
  const config = definition.parseConfig(env);
  const context = new ServiceContext({
    name: definition.name,
    environment: config.ENVIRONMENT,
    logLevel: config.LOG_LEVEL,
  });
  try {
    return await withNestLogger(context.logger, () => boot(definition, config, context));
  } catch (error) {
    // What had already started (a pool, a relay) stops again; why the start failed is what matters.
    await context.shutdown.run(config.SHUTDOWN_DEADLINE_MS).catch(() => undefined);
    throw error;
  }
}

async function boot<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  context: ServiceContext,
): Promise<RunningService> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ServiceRootModule.of(context, definition.module(config)),
    new FastifyAdapter(fastifyOptions(config.BODY_LIMIT_BYTES)),
    { logger: nestLogger, abortOnError: false, bodyParser: false },
  );
  const instance = app.getHttpAdapter().getInstance();
  const life = new ServiceLife(context, new HttpIntake(instance), app);
  try {
    await open(app, definition, config, context);
  } catch (error) {
    await life.end({ graceMs: 0, deadlineMs: config.SHUTDOWN_DEADLINE_MS }).catch(() => undefined);
    throw error;
  }
  life.began();
  const { port } = instance.server.address() as AddressInfo;
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  context.logger.info({ port }, 'listening');
  return {
    name: definition.name,
    url: `http://${host}:${port}`,
    port,
    context,
    app,
    shutdown: (options = {}) =>
      life.end({
        graceMs: options.graceMs ?? config.SHUTDOWN_GRACE_MS,
        deadlineMs: options.deadlineMs ?? config.SHUTDOWN_DEADLINE_MS,
      }),
  };
}

async function open<C extends HttpConfig>(
  app: NestFastifyApplication,
  definition: ServiceDefinition<C>,
  config: C,
  context: ServiceContext,
): Promise<void> {
  const instance = app.getHttpAdapter().getInstance();
  useBodyParser(instance);
  observeRequests(instance, context, { logRequests: config.LOG_REQUESTS });
  serveOperationalRoutes(instance, context);
  protect(app, config, context);
  await definition.configure?.(app, config);
  attachEventServer(app);
  await app.listen({ host: config.HOST, port: config.PORT });
  await app.startAllMicroservices();
}

function protect(app: NestFastifyApplication, config: HttpConfig, context: ServiceContext): void {
  const keys = config.INTERNAL_TOKEN_PUBLIC_KEYS;
  const verifier = keys === undefined ? undefined : new InternalTokenVerifier(keys);
  app.useGlobalGuards(new InternalTokenGuard(verifier));
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ErrorFilter(context.logger));
}
