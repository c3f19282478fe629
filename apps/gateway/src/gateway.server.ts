import { METHODS } from 'node:http';
import cors from '@fastify/cors';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOfRequest, rememberCaller } from '@bascule/identity';
import { failureOfStatus, RAW_BODY, REQUEST_ID_HEADER } from '@bascule/service-host';
import { AdmissionService } from './access/admission.service.js';
import { KeySelfService } from './access/key-self.service.js';
import { cacheabilityOf } from './forwarding/cacheability.js';
import { ForwarderService } from './forwarding/forwarder.service.js';
import { RequestBodiesService } from './forwarding/request-bodies.service.js';
import type { GatewayConfig } from './config/gateway.config.js';
import { RateLimitsService } from './limits/rate-limits.service.js';
import { serveDescription } from './description/description.server.js';
import { otherMethods, OWN_ROUTES, ROUTES } from './routing/route-table.js';
import type { AdmittedRoute, PathMethods } from './routing/route-table.js';

const PREFLIGHT_SECONDS = 86_400;
/** CORS answers `OPTIONS`; a server that is no proxy never sees `CONNECT`. */
const REFUSABLE_METHODS = METHODS.filter((method) => !['OPTIONS', 'CONNECT'].includes(method));

/** Registers CORS, cache headers and the route table. */
export async function openGateway(
  app: NestFastifyApplication,
  config: GatewayConfig,
): Promise<void> {
  const instance = app.getHttpAdapter().getInstance();
  await instance.register(cors, {
    origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: [
      REQUEST_ID_HEADER,
      'etag',
      'idempotency-replayed',
      'retry-after',
      'x-paused',
      'ratelimit',
      'ratelimit-policy',
    ],
    maxAge: PREFLIGHT_SECONDS,
    // Answers any OPTIONS like a preflight; the strict refusal would be plain text.
    strictPreflight: false,
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'OPTIONS') void reply.headers(cacheabilityOf(reply.getHeaders()));
    done(null, payload);
  });
  const [admission, forwarder] = [app.get(AdmissionService), app.get(ForwarderService)];
  const bodies = app.get(RequestBodiesService);
  const admit: Admit = async (route, request, reply) => {
    const caller = await admission.admit(route, request, reply);
    rememberCaller(request, caller);
    bodies.reserve(caller, request, reply);
  };
  const keySelf = app.get(KeySelfService);
  for (const route of ROUTES) {
    serve(instance, route, admit, async (request, reply) => {
      const caller = callerOfRequest(request);
      if (caller === undefined) throw new Error('expected an admitted request');
      return forwarder.forward(route, caller, request, reply);
    });
  }
  for (const route of OWN_ROUTES) {
    serve(instance, route, admit, (request) => keySelf.describe(request.headers.authorization));
  }
  for (const method of REFUSABLE_METHODS) {
    if (!instance.supportedMethods.includes(method)) instance.addHttpMethod(method);
  }
  const read = serveDescription(instance, app.get(RateLimitsService));
  const routes = [
    ...ROUTES,
    ...OWN_ROUTES,
    ...read.map((path) => ({ method: 'GET', path }) as const),
  ];
  for (const path of otherMethods(routes, REFUSABLE_METHODS)) {
    refuseOtherMethods(instance, path);
  }
}

function refuseOtherMethods(instance: FastifyInstance, { path, allowed, others }: PathMethods) {
  const { status, body } = failureOfStatus(405);
  instance.route({
    method: [...others],
    url: path,
    config: RAW_BODY,
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) =>
      reply.code(status).header('allow', allowed.join(', ')).send(body),
    handler: () => undefined,
  });
}

type Admit = (route: AdmittedRoute, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function serve(
  instance: FastifyInstance,
  route: AdmittedRoute,
  admit: Admit,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  instance.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.method === 'GET',
    config: RAW_BODY,
    // Admission comes before the body is read.
    onRequest: (request: FastifyRequest, reply: FastifyReply) => admit(route, request, reply),
    handler: answer,
  });
}
