import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSecrets, SERVICE_NAMES, stackPaths } from '@bascule/composition';
import { Client } from 'pg';
import { runOnramps } from '../../tools/first-payment/onramp.js';
import { runRecoveries } from '../../tools/first-payment/recover.js';
import { runSwaps } from '../../tools/first-payment/swap.js';
import type { Stage } from '../../tools/first-payment/test-user.js';
import { silentStage } from './testing/stage.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const SESSIONS = 2;

let stack: StackProcess;
let stage: Stage;

beforeAll(async () => {
  stack = await StackProcess.create('pooler', ['PGBOUNCER_PORT']);
  stage = await silentStage(await stack.start());
});
afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

interface PoolState {
  user: string;
  database: string;
  [count: string]: string;
}

/** Clients and server sessions by role, as PgBouncer counts them. */
async function pools(): Promise<{ user: string; clients: number; sessions: number }[]> {
  const { rolePassword } = loadSecrets(stackPaths(stack.directory).secretsFile);
  const client = new Client({
    host: '127.0.0.1',
    port: Number(stack.environment['PGBOUNCER_PORT']),
    user: 'bascule_payment',
    password: rolePassword,
    database: 'pgbouncer',
  });
  await client.connect();
  const { rows } = await client.query<PoolState>('SHOW POOLS');
  await client.end();
  const sum = (pool: PoolState, prefix: string) =>
    Object.entries(pool)
      .filter(([name]) => name.startsWith(prefix))
      .reduce((total, [, count]) => total + Number(count), 0);
  return rows
    .filter(({ database }) => database === 'postgres')
    .map((pool) => ({
      user: pool.user,
      clients: sum(pool, 'cl_'),
      sessions: sum(pool, 'sv_'),
    }));
}

describe('the services behind PgBouncer in transaction mode', () => {
  it('complete payments and withdrawals', async () => {
    const swaps = await runSwaps(stage);
    expect(swaps.map(({ status }) => status)).toEqual(Array.from(swaps, () => 'COMPLETE'));
    const onramps = await runOnramps(stage);
    expect(onramps.map(({ status }) => status)).toEqual(['COMPLETE', 'COMPLETE']);
    const recovered = await runRecoveries(stage);
    expect(recovered.map(({ status }) => status)).toEqual(Array.from(recovered, () => 'WITHDRAWN'));
  }, 400_000);

  it('share few sessions of each role', async () => {
    const found = await pools();
    const roles = SERVICE_NAMES.map((name) => `bascule_${name.replaceAll('-', '_')}`);
    expect(found.map(({ user }) => user).sort()).toEqual(roles.sort());
    expect(found.filter(({ clients }) => clients === 0)).toEqual([]);
    expect(found.filter(({ sessions }) => sessions > SESSIONS)).toEqual([]);
  });
});
