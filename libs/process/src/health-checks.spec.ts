import { describe, expect, it } from '@jest/globals';
import { HealthChecks } from './health-checks.js';

describe('HealthChecks', () => {
  it('is ready when every check is', async () => {
    const health = new HealthChecks();
    health.ready('database', () => true);
    health.ready('schema', () => Promise.resolve('migrations are pending'));
    expect(await health.evaluateReady()).toEqual({
      ok: false,
      checks: { database: true, schema: 'migrations are pending' },
    });
  });

  it('hides the error of a check', async () => {
    const health = new HealthChecks();
    health.ready('database', () => Promise.reject(new Error('password authentication failed')));
    expect(await health.evaluateReady()).toEqual({ ok: false, checks: { database: 'failed' } });
  });

  it('keeps liveness apart from readiness', async () => {
    const health = new HealthChecks();
    health.ready('database', () => 'down');
    expect(await health.evaluateLive()).toEqual({ ok: true, checks: {} });
  });
});
