import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { attachEventServer } from '@bascule/messaging';
import {
  parseConfig,
  ServiceContext,
  startTracing,
  tracingEnv,
  watchFiles,
} from '@bascule/process';
import { ErrorFilter } from '../errors/error.filter.js';
import { InternalTokenGuard, InternalTokenVerifier } from '@bascule/identity';
import { RequestValidationPipe } from '@bascule/validation';
import { useBodyParser } from '../server/body-parser.js';
import { ServiceHttpServer } from '../server/service-http-server.js';
import { HttpIntake } from '../server/http-intake.js';
import { OperationsServer } from '../server/operations-server.js';
import { observeRequests } from '../server/request-observation.js';
import { operationsAddress } from './http-config.js';
import type { HttpConfig } from './http-config.js';
import { nestLogger, withNestLogger } from './nest-logger.js';
import type {
  RunningService,
  ServiceDefinition,
  ShutdownOptions,
  StartingService,
} from './service-definition.js';
import { ServiceLifecycle } from './service-lifecycle.js';
import { ServiceRootModule } from './service-root.module.js';

/** Starts one service; a process may hold several, so nothing here is global. */
export async function startService<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
  env: NodeJS.ProcessEnv,
): Promise<RunningService> {
  const { started } = await beginService(definition, env);
  return started;
}

/** Resolves once HTTP answers; waiting for dependencies may take much longer. */
export async function beginService<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
  given: NodeJS.ProcessEnv,
): Promise<StartingService> {
  // A copy, since the variables to watch are those that were parsed from this object.
  const env = { ...given };
  const config = definition.parseConfig(env);
  const tracing = parseConfig(env, tracingEnv);
  const context = new ServiceContext({
    name: definition.name,
    environment: config.ENVIRONMENT,
    logLevel: config.LOG_LEVEL,
  });
  const operations = new OperationsServer(context);
  const operationsAt = operationsAddress(config);
  await operations.listen(operationsAt.port, operationsAt.host);
  const http = new ServiceHttpServer();
  await http.listen(config.PORT, config.HOST).catch(async (error: unknown) => {
    await operations.close();
    throw error;
  });
  watchFiles(env, context, config.SECRET_FILES_POLL_MS);
  context.shutdown.add('telemetry', 'traces', await startTracing(tracing, context));
  const intake = new HttpIntake(http.server);
  const lifecycle = new ServiceLifecycle(context, intake, operations);
  const shutdown = (options: ShutdownOptions = {}): Promise<void> =>
    lifecycle.shutDown({
      graceMs: options.graceMs ?? config.SHUTDOWN_GRACE_MS,
      deadlineMs: options.deadlineMs ?? config.SHUTDOWN_DEADLINE_MS,
    });
  const start = async (): Promise<RunningService> => {
    const app = await boot(definition, config, { context, http, intake, lifecycle });
    return {
      name: definition.name,
      url: urlOf(config.HOST, http.port),
      port: http.port,
      operationsUrl: urlOf(operationsAt.host, operations.port),
      context,
      app,
      shutdown,
    };
  };
  const started = withNestLogger(context.logger, start).catch(async (error: unknown) => {
    // Stops started parts (a pool, a relay); only the error of the start is reported.
    await shutdown({ graceMs: 0 }).catch(() => undefined);
    throw error;
  });
  return { context, started, shutdown };
}

interface Parts {
  context: ServiceContext;
  http: ServiceHttpServer;
  intake: HttpIntake;
  lifecycle: ServiceLifecycle;
}

async function boot<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  { context, http, intake, lifecycle }: Parts,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ServiceRootModule.of(context, definition.module(config)),
    new FastifyAdapter(http.options(config.BODY_LIMIT_BYTES)),
    { logger: nestLogger, abortOnError: false, bodyParser: false },
  );
  lifecycle.attach(app);
  const instance = app.getHttpAdapter().getInstance();
  intake.watch(instance);
  useBodyParser(instance);
  observeRequests(instance, context, { logRequests: config.LOG_REQUESTS });
  protect(app, config, context);
  await definition.configure?.(app, config);
  attachEventServer(app);
  await app.init();
  await instance.ready();
  http.open();
  await app.startAllMicroservices();
  lifecycle.markReady();
  context.logger.info({ port: http.port }, 'listening');
  return app;
}

function urlOf(listensOn: string, port: number): string {
  const host = listensOn === '0.0.0.0' || listensOn === '::' ? '127.0.0.1' : listensOn;
  return `http://${host}:${port}`;
}

function protect(app: NestFastifyApplication, config: HttpConfig, context: ServiceContext): void {
  const keys = config.INTERNAL_TOKEN_PUBLIC_KEYS;
  const verifier = keys === undefined ? undefined : new InternalTokenVerifier(keys);
  app.useGlobalGuards(new InternalTokenGuard(verifier));
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ErrorFilter(context.logger));
}
