import { TOPICS } from '@bascule/contracts';
import { Lease } from '@bascule/persistence';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPayment } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, aQuoteState } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { PausesService } from './pauses.service.js';

describe('a process whose switches were never built', () => {
  let client: PaymentServiceClient;
  let process: RunningService;
  let lease: Lease;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
    const dataSource = client.admin;
    lease = new Lease({ dataSource, name: 'projections', holder: 'test', ttlMs: 3_600_000 });
    // No process builds before the lease is free.
    await eventually(async () => expect(await lease.acquire()).not.toBeNull(), {
      timeoutMs: 60_000,
    });
    await dataSource.query('UPDATE projection_state SET built_at = NULL WHERE topic = $1', [
      TOPICS.switches.name,
    ]);
    process = await client.startAnother();
  });
  afterAll(async () => {
    await process.shutdown({ graceMs: 0 });
    await client.stop();
  });

  const confirm = async () => {
    const state = aQuoteState({ quotes: [{ quote: aQuote(), plan: aPlan() }] });
    const body = await client.aConfirmation({}, state);
    return client.request('/payments/confirm', { method: 'POST', body, at: process.url });
  };

  it('is not ready, answers confirms with 503, and starts no leg until they are built', async () => {
    const pauses = process.app.get(PausesService);
    const ready = await fetch(`${process.operationsUrl}/health/ready`);
    expect(ready.status).toBe(503);
    const { status, headers, body } = await confirm();
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).toContain('The switches of the service are not known yet.');
    await expect(pauses.ofLeg(aPayment().build(), 0)).rejects.toMatchObject({
      code: 'unavailable',
    });
    await lease.release();
    await eventually(
      async () => {
        expect(await pauses.ofLeg(aPayment().build(), 0)).toBeUndefined();
      },
      { timeoutMs: 60_000 },
    );
    expect(JSON.stringify((await confirm()).body)).not.toContain('switches');
  });
});
