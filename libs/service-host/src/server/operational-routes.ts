import { Registry } from 'prom-client';
import type { HealthReport, ServiceContext } from '@bascule/process';
import { metricsOfProcess } from './process-metrics.js';

export interface OperationalAnswer {
  status: number;
  type: string;
  body: string;
}

const ROUTES: Record<string, (context: ServiceContext) => Promise<OperationalAnswer>> = {
  '/health/live': async ({ health }) => reportAnswer(await health.evaluateLive()),
  '/health/ready': async ({ health }) => reportAnswer(await health.evaluateReady()),
  '/metrics': async ({ metrics }) => {
    const registry = Registry.merge([metricsOfProcess(), metrics]);
    return { status: 200, type: registry.contentType, body: await registry.metrics() };
  },
};

/** Returns null for any other path. */
export async function operationalAnswer(
  path: string,
  context: ServiceContext,
): Promise<OperationalAnswer | null> {
  return (await ROUTES[path]?.(context)) ?? null;
}

const reportAnswer = ({ ok, checks }: HealthReport): OperationalAnswer => ({
  status: ok ? 200 : 503,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ status: ok ? 'ok' : 'failing', checks }),
});
