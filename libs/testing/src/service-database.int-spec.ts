import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createServiceDatabase } from './service-database.js';
import { runSql } from './test-database.js';

describe('createServiceDatabase', () => {
  it('creates a role with access to its own schema only', async () => {
    const { database, adminUrl, drop } = await createServiceDatabase('payment');
    try {
      await runSql(adminUrl, 'CREATE SCHEMA other CREATE TABLE secret (n int)');
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query('CREATE TABLE mine AS SELECT 1 AS n');
      const { rows } = await client.query<{ schemaname: string }>(
        `SELECT schemaname FROM pg_tables WHERE tablename = 'mine'`,
      );
      expect(rows).toEqual([{ schemaname: 'payment' }]);
      await expect(client.query('SELECT * FROM other.secret')).rejects.toThrow('permission denied');
      await client.end();
    } finally {
      await drop();
    }
  });
});
