import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { HealthChecks } from './health-checks.js';
import { createLogger, type Logger } from './logger.js';
import { ShutdownSequence } from './shutdown-sequence.js';

export interface ServiceContextOptions {
  name: string;
  /** Deployment, e.g. `production`; events of another one are refused. */
  environment: string;
  logLevel?: string;
  instanceId?: string;
}

/** Shared objects of one service; several services may run in one process. */
export class ServiceContext {
  readonly name: string;
  readonly environment: string;
  readonly instanceId: string;
  readonly logger: Logger;
  readonly metrics = new Registry();
  readonly shutdown = new ShutdownSequence();
  readonly health = new HealthChecks();
  /** Aborted by a component that failed permanently; the process has to be replaced. */
  readonly failure = new AbortController();

  constructor(options: ServiceContextOptions) {
    this.name = options.name;
    this.environment = options.environment;
    this.instanceId = options.instanceId ?? randomUUID();
    this.logger = createLogger({ service: options.name, level: options.logLevel ?? 'info' });
  }
}
