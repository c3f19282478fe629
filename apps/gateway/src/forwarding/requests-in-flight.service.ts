import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ServiceContext } from '@bascule/process';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { UpstreamExchangeClient } from './upstream-exchange.client.js';
import type { UpstreamFailure } from './upstream-failure.js';

/** A request on its way to a service. */
export interface RequestInFlight {
  /** Why it was given up, when it was. */
  reason: UpstreamFailure | undefined;
  /** What to abort then. No closure: V8 puts those that are assigned where only a major collection finds them. */
  exchange: Pick<UpstreamExchangeClient, 'abort'> | undefined;
}

/** Time to send the answers of requests that were given up. */
const LAST_ANSWERS_MS = 2_000;

/** Ends a request to a service when its client goes away, or when this process must go before the service answers. */
@Injectable()
export class RequestsInFlightService {
  private readonly flights = new Set<RequestInFlight>();

  constructor(context: ServiceContext, @Inject(GATEWAY_CONFIG) config: GatewayConfig) {
    const patience = config.SHUTDOWN_DEADLINE_MS - config.SHUTDOWN_GRACE_MS - LAST_ANSWERS_MS;
    context.shutdown.stopping.addEventListener('abort', () => {
      setTimeout(
        () => {
          for (const flight of this.flights) abortRequest(flight, 'leaving');
        },
        Math.max(patience, 0),
      ).unref();
    });
  }

  begin(reply: FastifyReply): RequestInFlight {
    const flight: RequestInFlight = { reason: undefined, exchange: undefined };
    this.flights.add(flight);
    reply.raw.once('close', () => {
      this.flights.delete(flight);
      if (!reply.raw.writableFinished) abortRequest(flight, 'client gone');
    });
    return flight;
  }
}

function abortRequest(flight: RequestInFlight, reason: UpstreamFailure): void {
  flight.reason = reason;
  flight.exchange?.abort();
}
