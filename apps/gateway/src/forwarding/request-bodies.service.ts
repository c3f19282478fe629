import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gauge } from 'prom-client';
import { unavailable } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ServiceContext } from '@bascule/process';
import { visitorBlockOfRequest } from '@bascule/service-host';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import { bodyBytesOf } from '../routing/request-size.js';
import { HolderTally, holderOf } from './holder.js';
import type { Holder } from './holder.js';

/** Parts of all bytes that all visitors and one of them have at most; the others are left to secret keys. */
const VISITORS_SHARE = 1 / 2;
const VISITOR_SHARE = 1 / 16;
/** Part that one organisation has at most. */
const ORGANISATION_SHARE = 1 / 2;

/** Bounds the memory of request bodies, from the admission of a request to its answer. */
@Injectable()
export class RequestBodiesService {
  private readonly held = new HolderTally();
  /** Bytes of holders without a secret key. */
  private readonly visitors = new HolderTally();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    { metrics }: ServiceContext,
  ) {
    const { held } = this;
    new Gauge({
      name: 'gateway_request_body_bytes',
      help: 'Announced bytes of the request bodies that are arriving or wait for their answer.',
      registers: [metrics],
      collect() {
        this.set(held.total);
      },
    });
  }

  /**
   * Reserves memory for the body of a request before it is read.
   * @throws ServiceError 503 where too many bytes are held
   */
  reserve(caller: Caller, request: FastifyRequest, reply: FastifyReply): void {
    const bytes = bodyBytesOf(request.headers, this.config.BODY_LIMIT_BYTES);
    if (bytes === 0) return;
    const holder = holderOf(caller, visitorBlockOfRequest(request, this.config.trustedHops));
    if (!this.hasRoom(holder, bytes)) {
      throw unavailable('Too many large requests are in progress. Try again.');
    }
    const tallies = holder.visitor === null ? [this.held] : [this.held, this.visitors];
    for (const tally of tallies) tally.add(holder, bytes);
    reply.raw.once('close', () => {
      for (const tally of tallies) tally.remove(holder, bytes);
    });
  }

  private hasRoom(holder: Holder, bytes: number): boolean {
    const { requestBodyBytes: max } = this.config;
    const fits = (held: number, share: number): boolean => held + bytes <= max * share;
    if (!fits(this.held.total, 1)) return false;
    // Providers have no organisation: they are visitors.
    if (holder.organisation !== '' && !fits(this.held.ofOrganisation(holder), ORGANISATION_SHARE)) {
      return false;
    }
    if (holder.visitor === null) return true;
    const own = this.visitors.ofVisitor(holder);
    return fits(this.visitors.total, VISITORS_SHARE) && (own === 0 || fits(own, VISITOR_SHARE));
  }
}
