import {
  type HealthResult,
  type Logger,
  RepeatedWarning,
  type ServiceContext,
} from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { DatabaseConfig } from './database-config.js';
import { describeDatabaseError } from './describe-database-error.js';
import { closeConnection, connectDirectly } from './direct-connection.js';
import { schemaState } from './run-migrations.js';
import { sessionSettings, settingsProblem } from './session-settings.js';

const INITIAL_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;

/**
 * Waits until the database is reachable, its sessions have the service's settings and all migrations of this version are
 * applied. Until then the service is not
 * ready and health reports the reason.
 * @throws when the service stops meanwhile
 */
export async function openDatabase(
  dataSource: DataSource,
  database: DatabaseConfig,
  context: ServiceContext,
): Promise<void> {
  let server: HealthResult = 'connecting';
  let schema: HealthResult = 'not checked yet';
  let isOpen = false;
  context.health.ready('database', () => (isOpen ? checkConnection(dataSource, database) : server));
  context.health.ready('schema', () => schema);
  const warning = new RepeatedWarning(context.logger, 'waiting for the database');
  for (let wait = INITIAL_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    server = await connect(dataSource, database);
    if (server === true) schema = await checkSchema(dataSource, database, context);
    isOpen = server === true && schema === true;
    if (isOpen) return;
    warning.report(server === true ? `schema: ${schema}` : server);
    await pause(wait, context.shutdown.stopping);
  }
}

async function connect(dataSource: DataSource, database: DatabaseConfig): Promise<HealthResult> {
  try {
    if (!dataSource.isInitialized) await dataSource.initialize();
    return (await sessionProblem(dataSource, database)) ?? (await checkDirectUrl(database));
  } catch (error) {
    return describeDatabaseError(error, database);
  }
}

/** Describes what differs in the sessions of a data source from the settings of its service; null without one. */
export const sessionProblem = (
  dataSource: DataSource,
  { schema }: DatabaseConfig,
): Promise<string | null> =>
  settingsProblem((...query) => dataSource.query(...query), sessionSettings(schema));

async function checkDirectUrl(database: DatabaseConfig): Promise<HealthResult> {
  try {
    await closeConnection(await connectDirectly(database, `bascule/check ${database.schema}`));
    return true;
  } catch (error) {
    return describeDatabaseError(error, { url: database.directUrl });
  }
}

async function checkSchema(
  dataSource: DataSource,
  database: DatabaseConfig,
  { logger }: { logger: Logger },
): Promise<HealthResult> {
  try {
    const { problem, unknown } = await schemaState(dataSource);
    if (unknown.length > 0) logger.warn({ unknown }, 'the schema is newer than this version');
    return problem ?? true;
  } catch (error) {
    return describeDatabaseError(error, database);
  }
}

async function checkConnection(
  dataSource: DataSource,
  database: DatabaseConfig,
): Promise<HealthResult> {
  try {
    await dataSource.query('SELECT 1');
    return true;
  } catch (error) {
    return describeDatabaseError(error, database);
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error('stopped while waiting for the database'));
    };
    const timer = setTimeout(() => {
      stopping.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
  });
}
