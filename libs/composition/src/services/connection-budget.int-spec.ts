import { DataSource } from 'typeorm';
import type { RunningService } from '@bascule/service-host';
import {
  createServiceDatabase,
  eventually,
  freePort,
  testKafka,
  type ServiceDatabase,
} from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { parseSettings, type ServiceName } from '../settings/settings.config.js';
import { loadSecrets } from '../state/secrets.js';
import { serviceEnvironments } from './service-environments.js';
import { serviceRunners } from './service-runners.js';

const REPLICAS = 3;
/** Default `max_connections` of Postgres less those that it reserves for superusers. */
const USABLE = 97;
const LOCK = 15;
const MORE_THAN_ANY_POOL = 20;

const SERVICES = [
  'gateway',
  'quote',
  'payment',
  'withdrawal',
  'catalogue',
  'webhook-dispatch',
] as const satisfies readonly ServiceName[];

interface Documented {
  perReplica: number;
  embedded: number;
}

/** The table of connections in the README of the library. */
const README = readFileSync(new URL('../../../persistence/README.md', import.meta.url), 'utf8');

function documented(service: string): Documented {
  const row = new RegExp(`^\\| \`${service}\` +\\|(.*)\\|$`, 'm').exec(README)?.[1];
  const [, , perReplica, , embedded] = (row ?? '').split('|').map(Number);
  if (perReplica === undefined || embedded === undefined) throw new Error(`no row ${service}`);
  return { perReplica, embedded };
}

let directory: string;
let brokers: string[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bascule-'));
  brokers = await testKafka();
});
afterAll(() => rmSync(directory, { recursive: true }));

async function environmentOf(
  service: ServiceName,
  { database, adminUrl }: ServiceDatabase,
): Promise<NodeJS.ProcessEnv> {
  const settings = parseSettings({});
  const own = serviceEnvironments(settings, loadSecrets(join(directory, 'secrets.json')), {
    adminUrl,
    // No chain responds here: the count needs none.
    chains: settings.chains.map((chain) => ({ ...chain, rpcUrl: 'http://127.0.0.1:1' })),
  })[service];
  return {
    ...own,
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '0',
  };
}

/**
 * Counts the connections of the service's role while all of its pool waits for a lock, the relay leads and each consumer
 * group of the embedded log has its session.
 */
async function connectionsUnderLoad(
  service: RunningService,
  { adminUrl, database }: ServiceDatabase,
  groups: number,
): Promise<number> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const count = async (condition: string): Promise<number> => {
    const { rows } = await admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = $1 AND ${condition}`,
      [new URL(database.url).username],
    );
    return rows[0]?.n ?? 0;
  };
  try {
    // Before the pool is full: a standby relay asks for the lease by the pool.
    await eventually(async () => {
      expect(await count(`application_name LIKE 'bascule/outbox%'`)).toBe(1);
      expect(await count(`application_name LIKE 'bascule/group%'`)).toBe(groups);
    });
    await admin.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const dataSource = service.app.get(DataSource, { strict: false });
    const waiting = Array.from({ length: MORE_THAN_ANY_POOL }, () =>
      dataSource.query('SELECT pg_advisory_xact_lock_shared($1)', [LOCK]).catch(() => undefined),
    );
    const { poolSize } = dataSource.options as { poolSize?: number };
    await eventually(async () => {
      expect(await count(`wait_event_type = 'Lock'`)).toBe(poolSize);
    });
    const connections = await count('true');
    await admin.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    await Promise.all(waiting);
    return connections;
  } finally {
    await admin.end();
  }
}

async function started<T>(
  name: ServiceName,
  overrides: NodeJS.ProcessEnv,
  work: (service: RunningService, database: ServiceDatabase) => Promise<T>,
): Promise<T> {
  const runner = serviceRunners.find((each) => each.name === name);
  if (runner === undefined) throw new Error(`no service ${name}`);
  const database = await createServiceDatabase(name.replaceAll('-', '_'));
  const environment = { ...(await environmentOf(name, database)), ...overrides };
  await runner.migrate(environment);
  const service = await runner.start(environment);
  try {
    return await work(service, database);
  } finally {
    await service.shutdown({ graceMs: 0, deadlineMs: 10_000 });
    await database.drop();
  }
}

describe('the load test of connections', () => {
  it.each(SERVICES)('counts as many of %s as documented', async (name) => {
    const overrides = { KAFKA_BROKERS: brokers.join(',') };
    const { perReplica } = documented(name);
    await started(name, overrides, async (...running) => {
      expect(await connectionsUnderLoad(...running, 0)).toBe(perReplica);
    });
  });

  it.each(SERVICES)('counts as many of %s as documented with the embedded log', async (name) => {
    const { perReplica, embedded } = documented(name);
    await started(name, {}, async (...running) => {
      expect(await connectionsUnderLoad(...running, embedded - perReplica)).toBe(embedded);
    });
  });

  it('leaves room in a Postgres with its defaults for three of each, an update and a migration', () => {
    const perReplica = SERVICES.map((name) => documented(name).perReplica);
    const inAll = perReplica.reduce((sum, each) => sum + REPLICAS * each, 0);
    const migration = Number(/^\| a migration +\| +(\d+)/m.exec(README)?.[1]);
    expect(inAll + Math.max(...perReplica) + migration).toBeLessThanOrEqual(USABLE);
  });
});
