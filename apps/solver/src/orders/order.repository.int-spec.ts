import { createDataSource } from '@bascule/persistence';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { numberToHex, pad } from 'viem';
import { entities, migrations } from '../persistence/persistence.config.js';
import { OrderRepository } from './order.repository.js';

const ADDRESS = pad('0x1', { size: 20 });
const ORDER = {
  ...{ wallet: ADDRESS, owner: ADDRESS, recipient: ADDRESS, oracle: ADDRESS },
  ...{ originChainId: 31337n, inputToken: ADDRESS, inputAmount: 9n },
  ...{ destinationChainId: 31338n, outputToken: ADDRESS, minimum: 1n },
  ...{ nonce: 1n, fillDeadline: 2_000_000_000n, expires: 2_000_001_000n },
};
const ROUTE = { origin: 'alphanet', destination: 'betanet' };

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

const seen = (index: number) => ({
  id: numberToHex(index, { size: 32 }),
  order: ORDER,
  route: ROUTE,
  output: BigInt(index),
});

it('orders of a scan are inserted by few statements, and once, but reopened after a reorg', async () => {
  const orders = new OrderRepository(dataSource);
  const all = Array.from({ length: 2_500 }, (_, index) => seen(index + 1));
  const { manager } = dataSource;
  const query = jest.spyOn(manager, 'query');
  await orders.insert(manager, [...all, seen(2_500)], 0);
  expect(query).toHaveBeenCalledTimes(3);
  query.mockRestore();

  const statuses = ['GONE', 'CLAIMED'] as const;
  for (const [index, to] of statuses.entries()) {
    await orders.changeNow(seen(index + 1).id, { from: ['SEEN'], to });
  }
  await orders.insert(manager, all, 0);
  expect(await orders.find(seen(1).id)).toMatchObject({ status: 'SEEN', order: ORDER, output: 1n });
  expect(await orders.find(seen(2).id)).toMatchObject({ status: 'CLAIMED' });
  const [row] = await manager.query<{ count: string }[]>(
    `SELECT count(*) AS count FROM orders WHERE status = 'SEEN' AND due_at <= now()
       AND origin = $1 AND destination = $2 AND output_token = $3`,
    [ROUTE.origin, ROUTE.destination, ADDRESS],
  );
  expect(Number(row?.count)).toBe(all.length - 1);
});
