import { createServiceDatabase, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Column, Entity, Index, PrimaryColumn, type QueryRunner } from 'typeorm';
import { bigintColumn } from './bigint-column.js';
import { createDataSource } from './data-source.js';
import { ForwardMigration } from './forward-migration.js';
import { pendingSchemaChanges, runMigrationsOf, schemaState } from './run-migrations.js';

@Entity('accounts')
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
class Account {
  @PrimaryColumn('uuid')
  id!: string;

  @Column(bigintColumn)
  smallestUnits!: bigint;

  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;
}

class CreateAccounts1760000000200 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE accounts (id uuid PRIMARY KEY, smallest_units numeric(78, 0) NOT NULL, due_at timestamptz)`,
    );
    await queryRunner.query(
      `CREATE INDEX accounts_due_at_idx ON accounts (due_at) WHERE due_at IS NOT NULL`,
    );
  }
}

const UINT256_MAX = 2n ** 256n - 1n;

describe('a migrated schema', () => {
  let service: ServiceDatabase;
  beforeAll(async () => {
    service = await createServiceDatabase('accounts');
  });
  afterAll(() => service.drop());

  const options = () => ({
    database: service.database,
    entities: [Account],
    migrations: [CreateAccounts1760000000200],
  });

  it('is created once although several processes start concurrently', async () => {
    const before = await createDataSource(options()).initialize();
    expect((await schemaState(before)).problem).toBe(
      '2 of 2 migrations are pending, beginning with CreateLeases1760000000000',
    );
    await before.destroy();

    const runs = await Promise.all([1, 2, 3].map(() => runMigrationsOf(options())));
    expect(runs.flat().sort()).toEqual([
      'CreateAccounts1760000000200',
      'CreateLeases1760000000000',
    ]);
  });

  it('matches the entities, and reports a deviation', async () => {
    const dataSource = await createDataSource(options()).initialize();
    expect(await schemaState(dataSource)).toEqual({ problem: null, unknown: [] });
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
    await dataSource.query('ALTER TABLE accounts ADD COLUMN forgotten text');
    expect((await pendingSchemaChanges(dataSource)).join()).toContain('forgotten');
    await dataSource.query('ALTER TABLE accounts DROP COLUMN forgotten');
    await dataSource.destroy();
  });

  it('keeps amounts exact up to the largest uint256', async () => {
    const dataSource = await createDataSource(options()).initialize();
    const id = '0192e4a0-7b5c-7c3e-9f00-000000000001';
    await dataSource.manager.insert(Account, { id, smallestUnits: UINT256_MAX, dueAt: null });
    const found = await dataSource.manager.findOneByOrFail(Account, { id });
    expect(found.smallestUnits).toBe(UINT256_MAX);
    await dataSource.destroy();
  });
});
