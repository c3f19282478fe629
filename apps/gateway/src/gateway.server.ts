import cors from '@fastify/cors';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOfRequest, rememberCaller } from '@bascule/identity';
import { failureOfStatus, RAW_BODY, REQUEST_ID_HEADER } from '@bascule/service-host';
import { AdmissionService } from './access/admission.service.js';
import { cacheabilityOf } from './forwarding/cacheability.js';
import { ForwarderService } from './forwarding/forwarder.service.js';
import type { GatewayConfig } from './config/gateway.config.js';
import { otherMethods, ROUTES } from './routing/route-table.js';
import type { PathMethods, Route } from './routing/route-table.js';

const PREFLIGHT_SECONDS = 86_400;

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
  for (const route of ROUTES) serve(instance, route, admission, forwarder);
  for (const path of otherMethods(ROUTES)) refuseOtherMethods(instance, path);
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

function serve(
  instance: FastifyInstance,
  route: Route,
  admission: AdmissionService,
  forwarder: ForwarderService,
): void {
  instance.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.method === 'GET',
    config: RAW_BODY,
    // Admission comes before the body is read.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      rememberCaller(request, await admission.admit(route, request, reply));
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = callerOfRequest(request);
      if (caller === undefined) throw new Error('expected an admitted request');
      return forwarder.forward(route, caller, request, reply);
    },
  });
}
