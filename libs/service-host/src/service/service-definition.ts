import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceContext } from '@bascule/process';
import type { HttpConfig } from './http-config.js';

/** Definition of a service, independent of whether it runs alone or beside others. */
export interface ServiceDefinition<C extends HttpConfig = HttpConfig> {
  name: string;
  /** The Postgres schema it owns, when it owns one. */
  schema?: string;
  /** @throws ConfigurationError with every problem of the environment */
  parseConfig(env: NodeJS.ProcessEnv): C;
  module(config: C): Type | DynamicModule;
  migrate?(config: C): Promise<unknown>;
  /** For what has to happen on the application before it listens. */
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
  readonly context: ServiceContext;
  readonly app: NestFastifyApplication;
  /** Resolves when everything has stopped; the second call waits for the first. */
  shutdown(options?: ShutdownOptions): Promise<void>;
}

/** HTTP answers; the service itself may still wait for what it needs. */
export interface StartingService {
  readonly context: ServiceContext;
  readonly started: Promise<RunningService>;
  /** Also before it has started; `started` rejects then. */
  shutdown(options?: ShutdownOptions): Promise<void>;
}
