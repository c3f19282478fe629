import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { PriceRepository } from './persistence/price.repository.js';

/** Whether prices are still observed: what is too old counts as missing, and then nothing is quoted. */
@Injectable()
export class CatalogueMetrics {
  readonly sourceFailures: Counter<'source'>;

  constructor({ metrics, logger }: ServiceContext, prices: PriceRepository) {
    new Gauge({
      name: 'catalogue_price_age_seconds',
      help: 'Age of the oldest price of a listed asset, by the source that observed it.',
      labelNames: ['source'],
      registers: [metrics],
      async collect() {
        this.reset();
        try {
          for (const { source, age } of await prices.ages()) this.set({ source }, age);
        } catch (error) {
          // A scrape must not fail because the database is away.
          logger.debug({ err: error }, 'the age of prices is not known');
        }
      },
    });
    this.sourceFailures = new Counter({
      name: 'catalogue_price_source_failures_total',
      help: 'Observations that a source of prices failed.',
      labelNames: ['source'],
      registers: [metrics],
    });
  }
}
