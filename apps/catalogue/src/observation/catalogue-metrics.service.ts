import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { ListingSnapshotService } from '../listing/listing-snapshot.service.js';
import { PriceCacheService } from './price-cache.service.js';
import { PRICE_SOURCES, type PriceSource } from '../prices/price-source.js';
import { UpstreamCallsService } from '../upstream/upstream-calls.service.js';

const SECOND_MS = 1_000;

/** Metrics of prices and their sources; without fresh prices nothing is quoted. */
@Injectable()
export class CatalogueMetricsService {
  readonly sourceFailures: Counter<'source'>;
  readonly refusedQuotes: Counter<'source'>;
  readonly disputedPrices: Counter;

  constructor(
    { metrics }: ServiceContext,
    memory: PriceCacheService,
    listing: ListingSnapshotService,
    calls: UpstreamCallsService,
    @Inject(PRICE_SOURCES) sources: readonly PriceSource[],
  ) {
    const registers = [metrics];
    new Gauge({
      name: 'catalogue_price_age_seconds',
      help: 'Age of the oldest price of a listed asset, by source.',
      labelNames: ['source'],
      registers,
      collect() {
        this.reset();
        const oldest = new Map<string, number>();
        for (const { price, ageMs } of memory.all()) {
          for (const { source } of price.quotes) {
            oldest.set(source, Math.max(oldest.get(source) ?? 0, ageMs / SECOND_MS));
          }
        }
        for (const [source, age] of oldest) this.set({ source }, age);
      },
    });
    new Gauge({
      name: 'catalogue_asset_price_age_seconds',
      help: 'Age of an asset’s last observed price.',
      labelNames: ['asset'],
      registers,
      collect() {
        this.reset();
        for (const { price, ageMs } of memory.all()) {
          this.set({ asset: price.asset }, ageMs / SECOND_MS);
        }
      },
    });
    new Gauge({
      name: 'catalogue_asset_quote_age_seconds',
      help: 'Age of the quotes of an asset’s price by the source’s own clock.',
      labelNames: ['asset', 'source'],
      registers,
      collect() {
        this.reset();
        for (const { price } of memory.all()) {
          for (const { source, as_of } of price.quotes) {
            const age = (Date.now() - Date.parse(as_of)) / SECOND_MS;
            this.set({ asset: price.asset, source }, age);
          }
        }
      },
    });
    new Gauge({
      name: 'catalogue_prices_withdrawn',
      help: 'Listed assets whose last price was withdrawn because sources disagree or retracted it.',
      registers,
      collect() {
        this.set(memory.withdrawn().length);
      },
    });
    new Gauge({
      name: 'catalogue_tokens_without_price',
      help: 'Listed tokens without a fresh price.',
      labelNames: ['chain'],
      registers,
      collect() {
        this.reset();
        for (const { id, chain } of listing.tokens()) {
          this.inc({ chain }, memory.fresh(id) ? 0 : 1);
        }
      },
    });
    new Gauge({
      name: 'catalogue_fiats_without_rate',
      help: 'Currencies whose exchange rate has become stale.',
      registers,
      collect() {
        const without = listing
          .fiats()
          .filter(({ id }) => id !== 'usd' && memory.hasSeen(id) && !memory.fresh(id));
        this.set(without.length);
      },
    });
    new Gauge({
      name: 'catalogue_price_source_circuit_open',
      help: '1 while the circuit of a source is open after repeated failures.',
      labelNames: ['source'],
      registers,
      collect() {
        for (const { name, isCircuitOpen } of sources) {
          this.set({ source: name }, isCircuitOpen ? 1 : 0);
        }
      },
    });
    this.sourceFailures = new Counter({
      name: 'catalogue_price_source_failures_total',
      help: 'Errors during observations of a price source.',
      labelNames: ['source'],
      registers,
    });
    this.refusedQuotes = new Counter({
      name: 'catalogue_price_quotes_refused_total',
      help: 'Quotes rejected because they were too far from those of other sources.',
      labelNames: ['source'],
      registers,
    });
    this.disputedPrices = new Counter({
      name: 'catalogue_prices_disputed_total',
      help: 'Observations without a price for an asset because its sources disagreed.',
      registers,
    });
    for (const { name } of sources) this.sourceFailures.inc({ source: name }, 0);
    metrics.registerMetric(calls.counter);
  }
}
