import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { QuotaRefusals } from './quota-refusals.js';
import type { UsedShare } from './quota-refusals.js';

const QUOTA = {
  ...{ name: 'unfunded_payments', what: 'unfunded payments' },
  until: 'one of them is funded or expires',
};
const ALL: UsedShare = { holder: 'all', limit: 3, quota: 3 };

describe('QuotaRefusals.refuse', () => {
  it.each<[UsedShare, string]>([
    [ALL, 'The organisation has used up its quota of 3'],
    [
      { holder: 'publishable_keys', limit: 9, quota: 10 },
      "Publishable keys have used up their 9 of the organisation's 10",
    ],
    [
      { holder: 'visitor', limit: 5, quota: 10 },
      "This client has used up its 5 of the organisation's 10",
    ],
    [
      { holder: 'visitor', limit: 10, quota: 20, isOfPayment: true },
      'This client has used up, for this payment, its 10',
    ],
  ])('names the quota of %j and what to wait for', (used, who) => {
    const message = `${who} unfunded payments. Try again when one of them is funded or expires.`;
    expect(new QuotaRefusals(QUOTA, new Registry()).refuse(used, 90)).toMatchObject({
      code: 'rate_limited',
      errors: [{ kind: 'other', message }],
      retryAfterSeconds: 90,
    });
  });

  it.each([0, -5, null])('waits a second at least, also for %s', (waitSeconds) => {
    const refusals = new QuotaRefusals(QUOTA, new Registry());
    expect(refusals.refuse(ALL, waitSeconds)).toMatchObject({ retryAfterSeconds: 1 });
  });

  it('counts by holder, from zero on', async () => {
    const metrics = new Registry();
    const refusals = new QuotaRefusals(QUOTA, metrics);
    const line = (holder: UsedShare['holder'], count: number) =>
      `quota_refusals_total{quota="unfunded_payments",holder="${holder}"} ${count}`;
    expect(await metrics.metrics()).toContain(line('visitor', 0));
    refusals.refuse({ holder: 'visitor', limit: 1, quota: 2 }, null);
    expect(await metrics.metrics()).toContain(line('visitor', 1));
    expect(await metrics.metrics()).toContain(line('all', 0));
  });
});
