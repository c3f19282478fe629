import { preparesStatements } from '@bascule/persistence';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';

export interface PreparedStatement {
  /** Unique in the service; sessions cache the plan by it, unless a pooler changes them. */
  name: string;
  text: string;
}

/** Session of the driver below TypeORM, for named prepared statements. */
interface Session {
  query(config: Partial<PreparedStatement> & { values: unknown[] }): Promise<{ rows: unknown[] }>;
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'query' in value &&
  typeof value.query === 'function';

async function sessionOf(source: DataSource | EntityManager): Promise<Session> {
  const found: unknown =
    source instanceof DataSource
      ? 'master' in source.driver && source.driver.master
      : await source.queryRunner?.connect();
  if (!isSession(found)) throw new Error('prepared statements need the Postgres driver');
  return found;
}

/**
 * Runs a statement that costs more to plan than to execute, on the data source's pool or on the connection of the
 * manager's transaction.
 */
export async function preparedQuery(
  source: DataSource | EntityManager,
  statement: PreparedStatement,
  values: unknown[],
): Promise<unknown[]> {
  const session = await sessionOf(source);
  const dataSource = source instanceof DataSource ? source : source.dataSource;
  const { text } = statement;
  const query = preparesStatements(dataSource) ? statement : { text };
  const { rows } = await session.query({ ...query, values });
  return rows;
}
