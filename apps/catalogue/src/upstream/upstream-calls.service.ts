import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { CALL_OUTCOMES, type CallOutcome } from './upstream.client.js';

/** Counter of calls to data sources by outcome. */
@Injectable()
export class UpstreamCallsService {
  readonly counter = new Counter<'upstream' | 'outcome'>({
    name: 'catalogue_upstream_calls_total',
    help: 'Calls to data sources by outcome; `over_budget` and `circuit_open` calls were not sent.',
    labelNames: ['upstream', 'outcome'],
    registers: [],
  });

  of(upstream: string): (outcome: CallOutcome) => void {
    // Initialised, so that the first call is an increase.
    for (const outcome of CALL_OUTCOMES) this.counter.inc({ upstream, outcome }, 0);
    return (outcome) => this.counter.inc({ upstream, outcome });
  }
}
