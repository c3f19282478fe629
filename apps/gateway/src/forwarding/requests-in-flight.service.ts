import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ServiceContext } from '@bascule/process';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { UpstreamExchangeClient } from './upstream-exchange.client.js';
import type { UpstreamFailure } from './upstream-failure.js';

/** A request in flight to a service. */
export interface RequestInFlight {
  /** Reason of the abort, if aborted. */
  reason: UpstreamFailure | undefined;
  /** Exchange to abort. Not a closure: V8 allocates assigned closures where only a major collection frees them. */
  exchange: Pick<UpstreamExchangeClient, 'abort'> | undefined;
}

/** Time to send the responses of aborted requests. */
const LAST_ANSWERS_MS = 2_000;

/** Aborts requests to services when their client disconnects or does not read, or the shutdown deadline is near. */
@Injectable()
export class RequestsInFlightService {
  private readonly flights = new Set<RequestInFlight>();

  constructor(
    context: ServiceContext,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {
    const waitMs = config.SHUTDOWN_DEADLINE_MS - config.SHUTDOWN_GRACE_MS - LAST_ANSWERS_MS;
    context.shutdown.stopping.addEventListener('abort', () => {
      setTimeout(
        () => {
          for (const flight of this.flights) abortRequest(flight, 'leaving');
        },
        Math.max(waitMs, 0),
      ).unref();
    });
  }

  begin(reply: FastifyReply): RequestInFlight {
    // A response that closed during the admission emits no further event.
    if (reply.raw.destroyed) return { reason: 'client gone', exchange: undefined };
    const flight: RequestInFlight = { reason: undefined, exchange: undefined };
    this.flights.add(flight);
    reply.raw.once('close', () => {
      this.flights.delete(flight);
      if (!reply.raw.writableFinished) abortRequest(flight, 'client gone');
    });
    return flight;
  }

  /** Ends the connection of a client that has not read its response in time, and so the exchange with the service. */
  limitReading({ raw }: FastifyReply): void {
    const timer = setTimeout(() => raw.destroy(), this.config.timeouts.read).unref();
    raw.once('close', () => {
      clearTimeout(timer);
    });
  }
}

function abortRequest(flight: RequestInFlight, reason: UpstreamFailure): void {
  flight.reason = reason;
  flight.exchange?.abort();
}
