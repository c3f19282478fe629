import { ConfigurationError, withUrlOrigins } from '@bascule/process';
import type { HttpConfig } from './http-config.js';
import type { ServiceDefinition } from './service-definition.js';
import { beginService } from './start-service.js';

function fail(name: string, error: unknown): never {
  const reason =
    error instanceof ConfigurationError
      ? error.message
      : error instanceof Error
        ? error.stack
        : error;
  process.stderr.write(`${name}: ${withUrlOrigins(String(reason))}\n`);
  process.exit(1);
}

/** Implements `main.ts` of a service: runs until a signal, and exits non-zero on an unhandled failure. */
export async function runService<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
): Promise<void> {
  const service = await beginService(definition, process.env).catch((error: unknown) =>
    fail(definition.name, error),
  );
  const { logger, failure } = service.context;
  let isLeaving = false;
  const leave = (exitCode: number): void => {
    isLeaving = true;
    service.shutdown().then(
      () => process.exit(exitCode),
      (err: unknown) => {
        logger.error({ err }, 'shutdown incomplete');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'shutting down');
      leave(0);
    });
  }
  failure.signal.addEventListener('abort', () => {
    logger.fatal({ err: failure.signal.reason as unknown }, 'component failed: stopping');
    leave(1);
  });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      logger.fatal({ err }, event);
      process.exit(1);
    });
  }
  await service.started.catch((error: unknown) => {
    if (!isLeaving) fail(definition.name, error);
  });
}

/** Implements `migrate.ts` of a service. */
export async function runMigrations<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
): Promise<void> {
  try {
    const applied = await definition.migrate?.(definition.parseConfig(process.env));
    const names = Array.isArray(applied) ? applied.map(String) : [];
    process.stdout.write(`${definition.name}: ${names.length} migration(s) applied\n`);
    for (const name of names) process.stdout.write(`  ${name}\n`);
  } catch (error) {
    fail(definition.name, error);
  }
}
