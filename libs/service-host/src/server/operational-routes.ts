import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { HealthReport, ServiceContext } from '@bascule/process';
import { metricsOfProcess } from './process-metrics.js';

interface OperationalAnswer {
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

export const OPERATIONAL_ROUTES: ReadonlySet<string> = new Set(Object.keys(ROUTES));

/** Serves health and metrics; registered on the server itself, so no guard applies. */
export function serveOperationalRoutes(instance: FastifyInstance, context: ServiceContext): void {
  for (const [path, answer] of Object.entries(ROUTES)) {
    instance.get(path, async (_request, reply) => {
      const { status, type, body } = await answer(context);
      return reply.code(status).type(type).send(body);
    });
  }
}

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
