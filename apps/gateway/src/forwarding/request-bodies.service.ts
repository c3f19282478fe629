import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Part of all bytes that visitors have together; the other part is for secret keys. */
const VISITORS_SHARE = 1 / 2;
/** Parts of these that one visitor, and one organisation with its secret keys, have at most. */
const VISITOR_SHARE = 1 / 8;
const ORGANISATION_SHARE = 1 / 2;

interface HeldBody {
  holder: Holder;
  bytes: number;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Bounds the memory of request bodies, from the admission of a request to its answer. */
@Injectable()
export class RequestBodiesService {
  /** Bodies of holders without a secret key, oldest first. */
  private readonly ofVisitors = new Set<HeldBody>();
  private readonly visitors = new HolderTally();
  private readonly secretKeys = new HolderTally();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    { metrics }: ServiceContext,
  ) {
    const { visitors, secretKeys } = this;
    new Gauge({
      name: 'gateway_request_body_bytes',
      help: 'Announced bytes of the request bodies that are arriving or wait for their answer.',
      registers: [metrics],
      collect() {
        this.set(visitors.total + secretKeys.total);
      },
    });
  }

  /**
   * Reserves memory for the body of a request before it is read. A visitor's request ends one of a visitor that holds more
   * and has not sent its whole body.
   * @throws ServiceError 503 where too many bytes are held
   */
  reserve(caller: Caller, request: FastifyRequest, reply: FastifyReply): void {
    const bytes = bodyBytesOf(request.headers, this.config.BODY_LIMIT_BYTES);
    if (bytes === 0) return;
    const holder = holderOf(caller, visitorBlockOfRequest(request, this.config.trustedHops));
    const body = { holder, bytes, request: request.raw, response: reply.raw };
    // A response that closed during the admission emits no further event.
    if (reply.raw.destroyed || !this.hasRoom(body)) {
      throw unavailable('Too many large requests are in progress. Try again.');
    }
    this.hold(body);
    reply.raw.once('close', () => {
      this.release(body);
    });
  }

  private hasRoom({ holder, bytes }: HeldBody): boolean {
    const { requestBodyBytes: max } = this.config;
    if (holder.visitor === null) {
      const share = max * (1 - VISITORS_SHARE);
      const own = this.secretKeys.ofOrganisation(holder);
      return (
        this.secretKeys.total + bytes <= share &&
        (own === 0 || own + bytes <= share * ORGANISATION_SHARE)
      );
    }
    const share = max * VISITORS_SHARE;
    const own = this.visitors.ofVisitor(holder);
    if (own > 0 && own + bytes > share * VISITOR_SHARE) return false;
    while (this.visitors.total + bytes > share) {
      const ended = this.heldByMore(own + bytes);
      if (ended === undefined) return false;
      this.release(ended);
      ended.response.destroy();
    }
    return true;
  }

  /** Oldest body, of the visitor with the most bytes, that has not arrived yet. */
  private heldByMore(bytes: number): HeldBody | undefined {
    let [most, found]: [number, HeldBody | undefined] = [bytes, undefined];
    for (const body of this.ofVisitors) {
      const held = this.visitors.ofVisitor(body.holder);
      if (held > most && !body.request.complete) [most, found] = [held, body];
    }
    return found;
  }

  private hold(body: HeldBody): void {
    const { holder, bytes } = body;
    if (holder.visitor === null) {
      this.secretKeys.add(holder, bytes);
      return;
    }
    this.ofVisitors.add(body);
    this.visitors.add(holder, bytes);
  }

  private release(body: HeldBody): void {
    const { holder, bytes } = body;
    if (holder.visitor === null) this.secretKeys.remove(holder, bytes);
    else if (this.ofVisitors.delete(body)) this.visitors.remove(holder, bytes);
  }
}
