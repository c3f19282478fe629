import { Chains, parseChainsConfig } from '@bascule/chain';
import { createDataSource } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { serializeOrder } from '@bascule/solidity';
import { createServiceDatabase, eventually } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { pad } from 'viem';
import type { Hex } from 'viem';
import type { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import type { ClaimService } from '../claims/claim.service.js';
import type { FillService } from '../fills/fill.service.js';
import { OrderRepository } from '../orders/order.repository.js';
import { entities, migrations } from '../persistence/persistence.config.js';
import { OrderWorker } from './order.worker.js';

const ADDRESS = pad('0x1', { size: 20 });
const BODY = serializeOrder({
  ...{ wallet: ADDRESS, owner: ADDRESS, recipient: ADDRESS, oracle: ADDRESS },
  ...{ originChainId: 31337n, inputToken: ADDRESS, inputAmount: 1n },
  ...{ destinationChainId: 31338n, outputToken: ADDRESS, minimum: 1n },
  ...{ nonce: 1n, fillDeadline: 2_000_000_000n, expires: 2_000_001_000n },
});

const RPC_URLS = { RPC_URLS_ALPHANET: 'http://alphanet', RPC_URLS_BETANET: 'http://betanet' };

let database: ServiceDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createServiceDatabase('solver');
  dataSource = createDataSource({ database: database.database, entities, migrations });
  await dataSource.initialize();
  await dataSource.runMigrations();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Adds orders that have been due for so many seconds. */
const add = (
  name: string,
  count: number,
  row: { origin: string; status: 'SEEN' | 'FILLED'; retries: number; dueForSeconds: number },
) =>
  dataSource.query(
    `INSERT INTO orders (id, origin, output_token, body, status, retries, due_at)
     SELECT $1 || n, $2, '', $3, $4, $5, now() - $6 * interval '1 second'
     FROM generate_series(1, $7) n`,
    [name, row.origin, JSON.stringify(BODY), row.status, row.retries, row.dueForSeconds, count],
  );

it('orders that hang take no slot of other origins, of first looks and of claims', async () => {
  await add('retried', 20, { origin: 'alphanet', status: 'SEEN', retries: 1, dueForSeconds: 900 });
  await add('flood', 20, { origin: 'betanet', status: 'SEEN', retries: 0, dueForSeconds: 900 });
  await add('new', 1, { origin: 'alphanet', status: 'SEEN', retries: 0, dueForSeconds: 1 });
  await add('filled', 1, { origin: 'betanet', status: 'FILLED', retries: 0, dueForSeconds: 1 });
  const looks: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const done = (id: Hex) => dataSource.query('UPDATE orders SET due_at = NULL WHERE id = $1', [id]);
  const fills: Pick<FillService, 'process'> = {
    process: async ({ id }) => {
      looks.push(id);
      if (!id.startsWith('new')) await released;
      await done(id);
    },
  };
  const claims: Pick<ClaimService, 'claim'> = {
    claim: async ({ id }) => {
      looks.push(id);
      await done(id);
    },
  };
  const context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
  const worker = new OrderWorker(
    dataSource,
    new Chains(parseChainsConfig({ CHAINS: 'alphanet,betanet', ...RPC_URLS })),
    new OrderRepository(dataSource),
    fills as FillService,
    claims as ClaimService,
    { isWorking: true } as SolverBehaviourService,
    context,
  );
  worker.onApplicationBootstrap();
  try {
    await eventually(() => {
      expect(looks).toEqual(expect.arrayContaining(['new1', 'filled1']));
    });
    expect(looks.filter((id) => id.startsWith('retried')).length).toBeLessThanOrEqual(2);
    expect(looks.filter((id) => id.startsWith('flood')).length).toBeLessThanOrEqual(8);
    release();
    await eventually(() => expect(looks).toHaveLength(42));
  } finally {
    release();
    await context.shutdown.run(10_000);
  }
});
