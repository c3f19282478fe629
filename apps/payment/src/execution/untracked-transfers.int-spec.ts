import { Chains, parseChainsConfig } from '@bascule/chain';
import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { createBridges, parseBridges } from '@bascule/venues';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { entities, migrations } from '../persistence/persistence.config.js';
import { UntrackedTransfersService } from './untracked-transfers.service.js';

describe('transfers of bridges that are no longer configured', () => {
  let database: ServiceDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createServiceDatabase('payment');
    const model = { database: database.database, entities, migrations };
    await runMigrationsOf(model);
    dataSource = await createDataSource(model).initialize();
    await dataSource.query(
      `INSERT INTO legs (id, payment_id, leg_index, chain, status, transfer)
       SELECT gen_random_uuid(), gen_random_uuid(), 0, 'alphanet', 'BRIDGING',
         jsonb_build_object('status', is_now, 'transfer', jsonb_build_object('bridge', bridge))
       FROM (VALUES ('gone', 'OPEN'), ('gone', 'UNFILLED'), ('gone', 'FILLED'),
         ('intent_escrow', 'OPEN')) AS t(bridge, is_now)`,
    );
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('are counted and logged when the service starts', async () => {
    const chains = new Chains(
      parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: 'http://127.0.0.1:9' }),
    );
    const configured = {
      name: 'intent_escrow',
      adapter: 'intent-escrow',
      solver_url: 'http://127.0.0.1:9',
      api_key: 'test',
    };
    const [escrow] = createBridges(parseBridges(JSON.stringify([configured])), chains);
    if (!escrow) throw new Error('no bridge');
    const context = new ServiceContext({ name: 'payment', environment: 'test', logLevel: 'error' });
    const complaint = jest.spyOn(context.logger, 'error').mockReturnValue();
    const bridges = new Map([[escrow.name, escrow]]);
    await new UntrackedTransfersService(dataSource, context, bridges).onApplicationBootstrap();
    expect(complaint.mock.calls).toEqual([
      [{ bridge: 'gone', transfers: 2 }, 'open transfers of a bridge missing from BRIDGES'],
    ]);
    const shown = await context.metrics.metrics();
    expect(shown).toContain('payments_bridge_transfers_unfollowed{bridge="gone"} 2');
    expect(shown).not.toContain('bridge="intent_escrow"');
  });
});
