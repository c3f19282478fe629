import { Lease } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { CatalogueMetrics } from '../catalogue-metrics.service.js';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../catalogue.config.js';
import { PriceRecorder } from './price-recorder.service.js';
import { PRICE_SOURCES, type ObservedPrice, type PriceSource } from './price-source.js';

const JOB = 'observe-prices';
/** A replica that stops without releasing the lease delays the next observation by this many intervals. */
const LEASE_INTERVALS = 3;

/** Observes all sources at a steady pace; one replica at a time does it. */
@Injectable()
export class PriceObserver implements OnApplicationBootstrap {
  private readonly lease: Lease;
  private running: Promise<void> | undefined;

  constructor(
    dataSource: DataSource,
    private readonly scheduler: SchedulerRegistry,
    private readonly recorder: PriceRecorder,
    private readonly context: ServiceContext,
    private readonly metrics: CatalogueMetrics,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
    @Inject(PRICE_SOURCES) private readonly sources: readonly PriceSource[],
  ) {
    this.lease = new Lease({
      dataSource,
      name: JOB,
      holder: context.instanceId,
      ttlMs: LEASE_INTERVALS * config.observePricesEveryMs,
    });
  }

  onApplicationBootstrap(): void {
    const timer = setInterval(() => this.tick(), this.config.observePricesEveryMs);
    this.scheduler.addInterval(JOB, timer);
    this.context.shutdown.add('intake', JOB, () => this.stop());
    this.tick();
  }

  /** A tick that finds the last one still running is left out. */
  private tick(): void {
    this.running ??= this.observe()
      .catch((error: unknown) => {
        this.context.logger.error({ err: error }, 'observing prices failed');
      })
      .finally(() => {
        this.running = undefined;
      });
  }

  private async observe(): Promise<void> {
    if (!(await this.lease.acquire())) return;
    const now = new Date();
    const answers = await Promise.all(this.sources.map((source) => this.ask(source, now)));
    await this.recorder.record(answers.flat());
  }

  /** A source that fails has no prices; the others' are recorded all the same. */
  private async ask(source: PriceSource, now: Date): Promise<ObservedPrice[]> {
    try {
      return await source.observe(now);
    } catch (error) {
      this.metrics.sourceFailures.inc({ source: source.name });
      this.context.logger.warn({ err: error, source: source.name }, 'price source failed');
      return [];
    }
  }

  private async stop(): Promise<void> {
    if (this.scheduler.doesExist('interval', JOB)) this.scheduler.deleteInterval(JOB);
    await this.running;
    await this.lease.release();
  }
}
