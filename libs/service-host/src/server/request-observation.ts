import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import type { ServiceContext } from '@bascule/process';
import { callerOfRequest } from '@bascule/identity';
import { REQUEST_ID_HEADER } from './request-id.js';
import { inTraceOf, traceRequests } from './request-tracing.js';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 320];

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown';

function describe(request: FastifyRequest, reply: FastifyReply, durationMs: number): object {
  const caller = callerOfRequest(request);
  return {
    request_id: request.id,
    method: request.method,
    // The template, not the URL: paths and queries of links hold their tokens.
    route: routeOf(request),
    status: reply.statusCode,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(caller !== undefined && { org_id: caller.orgId, key_id: caller.keyId }),
  };
}

/** Adds to each request a trace, a histogram by route template, a log line and an id in the answer. */
export function observeRequests(
  instance: FastifyInstance,
  context: ServiceContext,
  options: { logRequests: boolean },
): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [context.metrics],
  });
  traceRequests(instance, context);
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    done();
  });
  instance.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const labels = { method, route: routeOf(request), status: String(reply.statusCode) };
    duration.observe(labels, reply.elapsedTime / 1_000);
    if (options.logRequests) {
      const level = reply.statusCode >= 500 ? 'warn' : 'info';
      if (context.logger.isLevelEnabled(level)) {
        const line = describe(request, reply, reply.elapsedTime);
        inTraceOf(request, () => {
          context.logger[level](line, 'request');
        });
      }
    }
    done();
  });
}
