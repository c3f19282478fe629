import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ServiceContext } from '@bascule/process';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import type { UpstreamFailure } from './upstream-failure.js';

export interface Flight {
  signal: AbortSignal;
  /** Why it was aborted, when it was. */
  readonly reason: UpstreamFailure | undefined;
}

/** Time to send the answers of requests that were given up. */
const LAST_ANSWERS_MS = 2_000;

/** Ends a request to a service when its client goes away, or when this process must go before the service answers. */
@Injectable()
export class RequestsInFlight {
  private readonly flights = new Set<(reason: UpstreamFailure) => void>();

  constructor(context: ServiceContext, @Inject(GATEWAY_CONFIG) config: GatewayConfig) {
    const patience = config.SHUTDOWN_DEADLINE_MS - config.SHUTDOWN_GRACE_MS - LAST_ANSWERS_MS;
    context.shutdown.stopping.addEventListener('abort', () => {
      setTimeout(
        () => {
          this.giveUp();
        },
        Math.max(patience, 0),
      ).unref();
    });
  }

  begin(reply: FastifyReply): Flight {
    const controller = new AbortController();
    const flight: { signal: AbortSignal; reason: UpstreamFailure | undefined } = {
      signal: controller.signal,
      reason: undefined,
    };
    const abort = (reason: UpstreamFailure): void => {
      flight.reason = reason;
      controller.abort();
    };
    this.flights.add(abort);
    reply.raw.once('close', () => {
      this.flights.delete(abort);
      if (!reply.raw.writableFinished) abort('client gone');
    });
    return flight;
  }

  private giveUp(): void {
    for (const abort of this.flights) abort('leaving');
  }
}
