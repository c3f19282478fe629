import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { CALL_OUTCOMES, type CallOutcome } from './upstream.client.js';

/** How often data sources on the internet were called, and how that went. */
@Injectable()
export class UpstreamCallsService {
  readonly counter = new Counter<'upstream' | 'outcome'>({
    name: 'catalogue_upstream_calls_total',
    help: 'Calls to data sources by how they went; `over_budget` and `circuit_open` ones were not made.',
    labelNames: ['upstream', 'outcome'],
    registers: [],
  });

  of(upstream: string): (outcome: CallOutcome) => void {
    // There from the beginning, so that the first is an increase.
    for (const outcome of CALL_OUTCOMES) this.counter.inc({ upstream, outcome }, 0);
    return (outcome) => this.counter.inc({ upstream, outcome });
  }
}
