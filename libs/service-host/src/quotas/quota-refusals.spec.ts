import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { QuotaRefusals } from './quota-refusals.js';

const QUOTA = {
  ...{ name: 'unfunded_payments', what: 'unfunded payments' },
  until: 'one of them is funded or expires',
};

describe('QuotaRefusals.refuse', () => {
  it('names the quota, its number and what to wait for', () => {
    const message =
      'The organisation has used up its quota of 3 unfunded payments. ' +
      'Try again when one of them is funded or expires.';
    expect(new QuotaRefusals(QUOTA, new Registry()).refuse(3, 90)).toMatchObject({
      code: 'rate_limited',
      errors: [{ kind: 'other', message }],
      retryAfterSeconds: 90,
    });
  });

  it.each([0, -5, null])('waits a second at least, also for %s', (waitSeconds) => {
    const refusals = new QuotaRefusals(QUOTA, new Registry());
    expect(refusals.refuse(3, waitSeconds)).toMatchObject({ retryAfterSeconds: 1 });
  });

  it('counts, from zero on', async () => {
    const metrics = new Registry();
    const refusals = new QuotaRefusals(QUOTA, metrics);
    const line = (count: number) => `quota_refusals_total{quota="unfunded_payments"} ${count}`;
    expect(await metrics.metrics()).toContain(line(0));
    refusals.refuse(3, null);
    expect(await metrics.metrics()).toContain(line(1));
  });
});
