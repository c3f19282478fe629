import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceContext } from '@bascule/process';
import type { HttpConfig } from './http-config.js';

/** Definition of a service, independent of whether it runs alone or beside others. */
export interface ServiceDefinition<C extends HttpConfig = HttpConfig> {
  name: string;
  /** Postgres schema of the service, if it has one. */
  schema?: string;
  /** @throws ConfigurationError with every problem of the environment */
  parseConfig(env: NodeJS.ProcessEnv): C;
  module(config: C): Type | DynamicModule;
  migrate?(config: C): Promise<unknown>;
  /** Configures the application before it listens. */
  configure?(app: NestFastifyApplication, config: C): void | Promise<void>;
}

export interface ShutdownOptions {
  graceMs?: number;
  deadlineMs?: number;
}

export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  /** Base URL of `/health/live`, `/health/ready` and `/metrics`. */
  readonly operationsUrl: string;
  readonly context: ServiceContext;
  readonly app: NestFastifyApplication;
  /** Resolves when everything has stopped; the second call waits for the first. */
  shutdown(options?: ShutdownOptions): Promise<void>;
}

/** Started HTTP server whose service may still wait for its dependencies. */
export interface StartingService {
  readonly context: ServiceContext;
  readonly started: Promise<RunningService>;
  /** May be called during the start; `started` then rejects. */
  shutdown(options?: ShutdownOptions): Promise<void>;
}
