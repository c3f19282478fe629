import { ConfigurationError, withUrlOrigins } from '@bascule/process';
import type { HttpConfig } from './http-config.js';
import type { ServiceDefinition } from './service-definition.js';
import { startService } from './start-service.js';

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

/** The whole of a service's `main.ts`: runs until a signal, exits non-zero on what nobody handled. */
export async function runService<C extends HttpConfig>(
  definition: ServiceDefinition<C>,
): Promise<void> {
  const service = await startService(definition, process.env).catch((error: unknown) =>
    fail(definition.name, error),
  );
  const { logger } = service.context;
  const leave = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'shutting down');
    service.shutdown().then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'shutdown was not clean');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      logger.fatal({ err }, event);
      process.exit(1);
    });
  }
}

/** The whole of a service's `migrate.ts`. */
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
