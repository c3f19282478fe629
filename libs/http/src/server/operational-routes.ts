import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { HealthReport, ServiceContext } from '@bascule/process';
import { metricsOfProcess } from './process-metrics.js';

export const OPERATIONAL_ROUTES: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
]);

/** What the platform asks a service; registered on the server itself, so no guard stands before it. */
export function serveOperationalRoutes(instance: FastifyInstance, context: ServiceContext): void {
  const serveReport = (path: string, evaluate: () => Promise<HealthReport>): void => {
    instance.get(path, async (_request, reply) => {
      const { ok, checks } = await evaluate();
      return reply.code(ok ? 200 : 503).send({ status: ok ? 'ok' : 'failing', checks });
    });
  };
  serveReport('/health/live', () => context.health.evaluateLive());
  serveReport('/health/ready', () => context.health.evaluateReady());
  instance.get('/metrics', async (_request, reply) => {
    const registry = Registry.merge([metricsOfProcess(), context.metrics]);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
