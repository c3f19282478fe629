import type { Logger } from '@bascule/process';
import { Socket } from 'node:net';
import pg from 'pg';
import {
  DataSource,
  type EntityTarget,
  type MigrationInterface,
  type ObjectLiteral,
} from 'typeorm';
import { KEEPALIVE_DELAY_MS } from './connect-client.js';
import { hasPooler, preparesByName, tlsOptions, type DatabaseConfig } from './database-config.js';
import { CreateLeases1760000000000 } from './leases.migration.js';
import { QueryLogger } from './query-logger.js';
import {
  DEFAULT_TIMEOUTS,
  sessionSettings,
  startupOptions,
  type Timeouts,
} from './session-settings.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

export type EntityClass = EntityTarget<ObjectLiteral> & (new () => ObjectLiteral);
export type MigrationClass = new () => MigrationInterface;

export interface DataSourceOptions {
  database: DatabaseConfig;
  entities: readonly EntityClass[];
  migrations: readonly MigrationClass[];
  /** Shown by Postgres in `pg_stat_activity`. */
  applicationName?: string;
  logger?: Logger;
  /** Replaces the timeouts of the role; not possible behind a pooler. */
  timeouts?: Partial<Timeouts>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const SLOW_QUERY_MS = 1_000;
/** Added to the statement timeout, so that the server's own error arrives first. */
const RESPONSE_MARGIN_MS = 5_000;

/** Creates an unconnected data source. The schema is the search path, so neither entities nor SQL name it. */
export function createDataSource(options: DataSourceOptions): DataSource {
  const dataSource = newDataSource(options);
  if (preparesByName(options.database)) preparing.add(dataSource);
  return dataSource;
}

const preparing = new WeakSet<DataSource>();

/** Whether the sessions of a data source keep statements that are prepared by name. */
export const preparesStatements = (dataSource: DataSource): boolean => preparing.has(dataSource);

function newDataSource(options: DataSourceOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.database.url,
    ...tlsOptions(options.database),
    entities: [...options.entities],
    migrations: [CreateLeases1760000000000, ...options.migrations],
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNamingStrategy(),
    poolSize: options.database.poolSize,
    applicationName: options.applicationName ?? `bascule/${options.database.schema}`,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    installExtensions: false,
    maxQueryExecutionTime: SLOW_QUERY_MS,
    extra: {
      ...sessionOptions(options),
      Client: clientOfCurrentUrl(options.database),
      stream: () => socketWithTimeout(options),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    },
    ...(options.logger === undefined
      ? { logging: false }
      : { logging: ['error', 'warn'], logger: new QueryLogger(options.logger) }),
  });
}

/** Returns the class of the pool's clients, each of which connects with the URL of its time. */
const clientOfCurrentUrl = (database: DatabaseConfig): typeof pg.Client =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: database.url });
    }
  };

/**
 * Creates a socket that ends a connection without a response soon after the statement timeout. Without it, a lost
 * machine or a firewall that drops packets would block callers for a quarter of an hour.
 */
function socketWithTimeout({ timeouts }: DataSourceOptions): Socket {
  const socket = new Socket();
  const { statementMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  if (statementMs > 0) {
    socket.setTimeout(statementMs + RESPONSE_MARGIN_MS, () => {
      socket.destroy(new Error('connection terminated: no response from the server'));
    });
  }
  return socket;
}

/** Settings that the connections bring along; behind a pooler the sessions have those of their role. */
function sessionOptions({ database, timeouts }: DataSourceOptions): { options?: string } {
  if (!hasPooler(database)) {
    const settings = sessionSettings(database.schema, { ...DEFAULT_TIMEOUTS, ...timeouts });
    return { options: startupOptions(settings) };
  }
  if (timeouts === undefined) return {};
  throw new Error('timeouts of their own need a direct connection, or SET LOCAL');
}
