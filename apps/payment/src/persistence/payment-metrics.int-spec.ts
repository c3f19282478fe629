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
      `CREATE VIEW payments AS SELECT 'PENDING' AS status, now() - interval '90 seconds' AS funded_in_full_at`,
    );
    await dataSource.query(
      `INSERT INTO legs (id, payment_id, leg_index, chain, status, settlement, transfer)
       SELECT gen_random_uuid(), gen_random_uuid(), 0, 'alphanet', 'BRIDGING',
         jsonb_build_object('blockTimestamp', now() - age * interval '1 second'),
         jsonb_build_object('status', is_now)
       FROM (VALUES (90, 'OPEN'), (5, 'OPEN'), (500, 'UNFILLED'), (800, 'FILLED')) AS t(age, is_now)`,
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
    expect(await context.metrics.metrics()).toContain('payments_bridge_transfers_lost_total 1');
    const shown = 'payments_open{status="PENDING"} 1';
    expect(await context.metrics.metrics()).toContain(shown);
    await dataSource.destroy();
    const away = await context.metrics.metrics();
    expect(away).toContain(shown);
    expect(away).toMatch(/payments_oldest_funded_seconds (9\d|1\d\d)/);
    expect(away).toContain('payments_bridge_transfers{status="open"} 2');
    expect(away).toContain('payments_bridge_transfers{status="unfilled"} 1');
    expect(away).toMatch(/payments_oldest_bridge_transfer_seconds (9\d|1\d\d)/);
  });
});
