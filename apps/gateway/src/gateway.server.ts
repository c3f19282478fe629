import cors from '@fastify/cors';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOfRequest, rememberCaller } from '@bascule/identity';
import { RAW_BODY, REQUEST_ID_HEADER } from '@bascule/service-host';
import { AdmissionService } from './access/admission.service.js';
import { cacheabilityOf } from './forwarding/cacheability.js';
import { ForwarderService } from './forwarding/forwarder.service.js';
import type { GatewayConfig } from './config/gateway.config.js';
import { ROUTES } from './routing/route-table.js';
import type { Route } from './routing/route-table.js';

const PREFLIGHT_SECONDS = 86_400;

/** Opens the door: the route table, CORS for browsers, and what they and others may keep. */
export async function openGateway(
  app: NestFastifyApplication,
  config: GatewayConfig,
): Promise<void> {
  const instance = app.getHttpAdapter().getInstance();
  await instance.register(cors, {
    origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: [REQUEST_ID_HEADER, 'etag', 'retry-after', 'ratelimit', 'ratelimit-policy'],
    maxAge: PREFLIGHT_SECONDS,
    // Its refusal of an OPTIONS that is no preflight is plain text; nothing is lost by answering it like one.
    strictPreflight: false,
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'OPTIONS') void reply.headers(cacheabilityOf(reply.getHeaders()));
    done(null, payload);
  });
  const [admission, forwarder] = [app.get(AdmissionService), app.get(ForwarderService)];
  for (const route of ROUTES) serve(instance, route, admission, forwarder);
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
    exposeHeadRoute: false,
    config: RAW_BODY,
    // Before the body is read: who may not come in need not be listened to.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      rememberCaller(request, await admission.admit(route, request, reply));
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = callerOfRequest(request);
      if (caller === undefined) throw new Error('a request that nobody admitted');
      return forwarder.forward(route, caller, request, reply);
    },
  });
}
