import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { createServiceDatabase, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PaymentMetricsService } from './payment-metrics.service.js';
import { bridging, seen } from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import { entities, migrations } from './persistence.config.js';

describe('the metrics of payments', () => {
  let service: ServiceDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    service = await createServiceDatabase('payment');
    const model = { database: service.database, entities, migrations };
    await runMigrationsOf(model);
    dataSource = await createDataSource(model).initialize();
  });
  afterAll(() => service.drop());

  it('keep their last values while the database is unavailable', async () => {
    // A whole payment is more than is counted here.
    await dataSource.query('ALTER TABLE payments RENAME TO all_payments');
    await dataSource.query(
      `CREATE VIEW payments AS
       SELECT md5(mode)::uuid AS id, 'PENDING' AS status, mode, now() - age AS funded_in_full_at
       FROM (VALUES ('live', interval '90 seconds'), ('test', interval '1 day')) AS t(mode, age)`,
    );
    await dataSource.query(
      `INSERT INTO legs (id, payment_id, leg_index, chain, status, settlement, transfer)
       SELECT gen_random_uuid(), md5(mode)::uuid, row_number() OVER (), 'alphanet', 'BRIDGING',
         jsonb_build_object('blockTimestamp', now() - age * interval '1 second'),
         jsonb_build_object('status', is_now)
       FROM (VALUES (90, 'OPEN', 'live'), (5, 'OPEN', 'live'), (500, 'UNFILLED', 'live'),
         (800, 'FILLED', 'live'), (86400, 'OPEN', 'test')) AS t(age, is_now, mode)`,
    );
    const context = new ServiceContext({
      name: 'payment',
      environment: 'test',
      logLevel: 'silent',
    });
    const metrics = new PaymentMetricsService(dataSource, context);
    const before = bridging().build();
    const lost = bridging()
      .changed(seen({ kind: 'lost' }), minutesAfter(5))
      .build();
    metrics.changed(before, lost);
    metrics.changed(lost, lost);
    expect(await context.metrics.metrics()).toContain(
      'payments_bridge_transfers_lost_total{mode="live"} 1',
    );
    const shown = 'payments_open{status="PENDING",mode="live"} 1';
    expect(await context.metrics.metrics()).toContain(shown);
    await dataSource.destroy();
    const away = await context.metrics.metrics();
    expect(away).toContain(shown);
    expect(away).toMatch(/payments_oldest_funded_seconds{mode="live"} (9\d|1\d\d)\D/);
    expect(away).toContain('payments_bridge_transfers{status="open",mode="live"} 2');
    expect(away).toContain('payments_bridge_transfers{status="unfilled",mode="live"} 1');
    expect(away).toMatch(/payments_oldest_bridge_transfer_seconds{mode="live"} (9\d|1\d\d)\D/);
    for (const age of ['payments_oldest_funded_seconds', 'payments_oldest_bridge_transfer_seconds'])
      expect(away).toMatch(new RegExp(`${age}{mode="test"} 86\\d\\d\\d`));
  });
});
