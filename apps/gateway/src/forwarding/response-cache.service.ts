import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '@bascule/identity';
import { clientIpOfRequest } from '../callers/client-ip.adapter.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { Route } from '../routing/route-table.js';

/** An answer with its body, as the client gets it. */
export interface KeptAnswer {
  tag: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Of an entry, beside its body. */
const OVERHEAD_BYTES = 2_048;

/**
 * What a service let be kept, given again for a moment to the very key that asked for it: what a widget asks at every page
 * need not be asked by the gateway each time. Who may ask is decided before, at every request.
 */
@Injectable()
export class ResponseCacheService {
  private readonly answers: LRUCache<string, KeptAnswer> | undefined;

  private readonly trustedHops: number;

  constructor(@Inject(GATEWAY_CONFIG) { answersKeptMs, trustedHops }: GatewayConfig) {
    this.trustedHops = trustedHops;
    if (answersKeptMs === 0) return;
    this.answers = new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: ({ body }, key) => body.length + 2 * key.length + OVERHEAD_BYTES,
      ttl: answersKeptMs,
    });
  }

  find(route: Route, caller: Caller, request: FastifyRequest): KeptAnswer | undefined {
    if (this.answers === undefined || !mayBeKept(route)) return undefined;
    if (request.headers['cache-control']?.includes('no-cache') === true) return undefined;
    const question = questionOf(caller, request);
    return this.answers.get(question) ?? this.answers.get(this.ofClient(question, request));
  }

  keep(route: Route, caller: Caller, request: FastifyRequest, answer: Answer): void {
    if (this.answers === undefined || !mayBeKept(route)) return;
    const kept = keptAnswerOf(answer);
    if (kept === undefined) return;
    const question = questionOf(caller, request);
    const isPublic = String(kept.headers['cache-control']).includes('public');
    this.answers.set(isPublic ? question : this.ofClient(question, request), kept);
  }

  /** A private answer may depend on where its client is; it is given again to no other. */
  private ofClient(question: string, request: FastifyRequest): string {
    return `${question} ${clientIpOfRequest(request, this.trustedHops) ?? 'unknown'}`;
  }
}

const mayBeKept = ({ method, access }: Route): boolean => method === 'GET' && access === 'api-key';

/** What an answer depends on: whose key asks, what, and in which encoding. */
const questionOf = ({ keyId }: Caller, { headers, raw }: FastifyRequest): string =>
  `${keyId} ${raw.url} ${String(headers['accept-encoding'])}`;

function keptAnswerOf({ status, headers, body }: Answer): KeptAnswer | undefined {
  const { etag, vary } = headers;
  const control = String(headers['cache-control'] ?? 'no-store');
  if (status !== 200 || !Buffer.isBuffer(body) || typeof etag !== 'string') return undefined;
  if (/no-store|no-cache/.test(control)) return undefined;
  if (vary !== undefined && String(vary).toLowerCase() !== 'accept-encoding') return undefined;
  return { tag: etag, headers, body };
}
