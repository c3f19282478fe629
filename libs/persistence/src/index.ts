export { databaseConfig, databaseEnv, type DatabaseConfig } from './database-config.js';
export {
  createDataSource,
  preparesStatements,
  type DataSourceOptions,
  type EntityClass,
  type MigrationClass,
} from './data-source.js';
export { connectClient } from './connect-client.js';
export { closeConnection, connectDirectly } from './direct-connection.js';
export { sessionProblem } from './open-database.js';
export { DATABASE_CONFIG, PersistenceModule } from './persistence.module.js';
export { pendingSchemaChanges, runMigrationsOf, schemaState } from './run-migrations.js';
export { provisionSchema } from './provision-schema.js';
export { describeDatabaseError } from './describe-database-error.js';
export { ForwardMigration } from './forward-migration.js';
export { bigintColumn } from './bigint-column.js';
export {
  assertLeaseHeld,
  fenceParameters,
  Lease,
  type LeaseFence,
  LeaseLostError,
  lockingLease,
  type HeldLease,
} from './lease.js';
export { DueWorker, slotsPerChain } from './due-worker.js';
export { gaugeByChain, type ChainValue } from './gauge-by-chain.js';
export { isDatabaseBusy, isDatabaseUnavailable, isUniqueViolation } from './postgres-errors.js';
export { identifier, literal } from './identifiers.js';
