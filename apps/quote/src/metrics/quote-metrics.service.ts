import { ServiceError } from '@bascule/contracts';
import type { QuotesResponse } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import { AggregatorMismatchError, BridgeRefusedError } from '@bascule/venues';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';

const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];

/** Metrics of quote outcomes, graph builds and requests to providers, bridges and aggregators. */
@Injectable()
export class QuoteMetricsService {
  private readonly requests: Counter<'outcome'>;
  private readonly graphs: Counter<'for'>;
  private readonly providers: Histogram<'provider' | 'question' | 'outcome'>;

  constructor({ metrics }: ServiceContext) {
    this.requests = new Counter({
      name: 'quote_requests_total',
      help: 'Quote requests by outcome: quoted, none (no route has a quote), refused (invalid request), failed.',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    this.graphs = new Counter({
      name: 'quote_graphs_built_total',
      help: 'Routing graphs built for quotes and for discovery; grows with changes of catalogue and coverage, not with requests.',
      labelNames: ['for'],
      registers: [metrics],
    });
    this.providers = new Histogram({
      name: 'quote_provider_request_duration_seconds',
      help: 'Latency of onramps, bridges and aggregators by request (quote, coverage) and outcome (answered, or the failure).',
      labelNames: ['provider', 'question', 'outcome'],
      buckets: BUCKETS,
      registers: [metrics],
    });
  }

  countGraph(purpose: 'quotes' | 'discovery'): void {
    this.graphs.inc({ for: purpose });
  }

  async countOutcome(quote: () => Promise<QuotesResponse>): Promise<QuotesResponse> {
    try {
      const answer = await quote();
      this.requests.inc({ outcome: answer.quotes.length > 0 ? 'quoted' : 'none' });
      return answer;
    } catch (error) {
      const isRefusal = error instanceof ServiceError && error.code !== 'unavailable';
      this.requests.inc({ outcome: isRefusal ? 'refused' : 'failed' });
      throw error;
    }
  }

  async timeRequest<T>(
    provider: string,
    question: 'quote' | 'coverage',
    ask: () => Promise<T>,
  ): Promise<T> {
    const stop = this.providers.startTimer({ provider, question });
    try {
      const answer = await ask();
      stop({ outcome: 'answered' });
      return answer;
    } catch (error) {
      stop({ outcome: failureOutcome(error) });
      throw error;
    }
  }
}

function failureOutcome(error: unknown): string {
  if (error instanceof ProviderError) return error.code;
  if (error instanceof AggregatorMismatchError) return 'mismatch';
  return error instanceof BridgeRefusedError ? 'refused' : 'unavailable';
}
