import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { enterTrace, type ServiceContext, type TraceScope } from '@bascule/process';

const scopes = new WeakMap<FastifyRequest, TraceScope>();

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join() : header;

/** Runs every request in the trace of its `traceparent`, or in a new one. Registered before what logs requests. */
export function traceRequests(instance: FastifyInstance, { name: service }: ServiceContext): void {
  instance.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request;
    const scope = enterTrace({
      service,
      name: method,
      kind: 'server',
      attributes: { 'http.request.method': method },
      traceparent: textOf(headers.traceparent),
      tracestate: textOf(headers.tracestate),
    });
    scopes.set(request, scope);
    scope.run(done);
  });
  instance.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply);
    done();
  });
}

/** Runs work after a request in its trace. */
export function inTraceOf<T>(request: FastifyRequest, fn: () => T): T {
  const scope = scopes.get(request);
  return scope === undefined ? fn() : scope.run(fn);
}

function endSpan(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const scope = scopes.get(request);
  if (scope?.isRecorded !== true) return;
  const { method, routeOptions } = request;
  const isFailure = statusCode >= 500;
  // The template, not the URL: paths and queries of links hold their tokens.
  const route = routeOptions.url;
  scope.end({
    name: route === undefined ? method : `${method} ${route}`,
    attributes: {
      'http.response.status_code': statusCode,
      ...(route !== undefined && { 'http.route': route }),
      ...(isFailure && { 'error.type': String(statusCode) }),
    },
    isFailure,
  });
}
