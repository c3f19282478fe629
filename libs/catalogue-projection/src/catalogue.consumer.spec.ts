import type { CatalogueEvent } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { catalogueConsumer } from './catalogue.consumer.js';

const asset = { id: 'usd', asset: { decimals: 2 }, listed: true, version: 3 };

/** Tables that the handler writes for an event with the state. */
async function written(type: string, data: object): Promise<string[]> {
  const tables: string[] = [];
  const dataSource = new DataSource({ type: 'postgres' });
  dataSource.manager.query = (sql: string) => {
    tables.push(/INSERT INTO (\S+)/.exec(sql)?.[1] ?? sql);
    return Promise.resolve([{}] as never);
  };
  const Consumer = catalogueConsumer({
    service: 'payment',
    table: 'assets',
    columnsOf: ({ decimals }) => ({ decimals }),
  }) as new (source: DataSource) => { on: (event: CatalogueEvent) => Promise<void> };
  await new Consumer(dataSource).on({ type, data } as CatalogueEvent);
  return tables;
}

describe('the catalogue of a service', () => {
  it('takes the state of an asset from an event of a type that only newer versions know', async () => {
    expect(await written('asset.suspended', asset)).toEqual(['"assets"']);
  });

  it('leaves out states of other things, whatever their type', async () => {
    const chain = { name: 'base', chain: {}, version: 1 };
    expect(await written('chain.listed', chain)).toEqual([]);
    expect(await written('chain.suspended', chain)).toEqual([]);
  });
});
