import {
  NO_SWITCHES,
  pauseName,
  ServiceError,
  SWITCHES_KEY,
  type SwitchesState,
  TOPICS,
  unavailable,
} from '@bascule/contracts';
import { ProjectionStatesRepository } from '@bascule/messaging';
import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { SwitchesEntity } from './switches.entity.js';

const FRESH_MS = 1_000;
const UNKNOWN = 'The switches of the service are not known yet. Try again.';

/** Switches as the operator set them last. */
@Injectable()
export class SwitchesService implements OnApplicationBootstrap {
  private readonly cache: LRUCache<typeof SWITCHES_KEY, SwitchesState>;
  private readonly trouble: RepeatedWarning;
  private readonly projections: ProjectionStatesRepository;
  private newest: SwitchesState = NO_SWITCHES;
  private isBuilt = false;
  /** Why the last read failed; the cache itself tells no cause. */
  private failure: unknown;

  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
  ) {
    this.projections = new ProjectionStatesRepository(dataSource);
    this.trouble = new RepeatedWarning(context.logger, 'switches could not be read');
    this.cache = new LRUCache<typeof SWITCHES_KEY, SwitchesState>({
      max: 1,
      ttl: FRESH_MS,
      allowStaleOnFetchRejection: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: () =>
        this.read().catch((error: unknown) => {
          this.failure = error;
          throw error;
        }),
    });
    this.exposeMetrics();
  }

  /** Reads the switches every second also without requests, so that a change is logged when it takes effect. */
  onApplicationBootstrap(): void {
    const refresh = (): void => {
      this.current().then(
        () => this.trouble.clear(),
        // Reported already.
        () => undefined,
      );
    };
    refresh();
    const timer = setInterval(refresh, FRESH_MS);
    this.context.shutdown.add('intake', 'switches', () => {
      clearInterval(timer);
      return Promise.resolve();
    });
  }

  /**
   * Current switches, at most a second old; none until an operator pauses something. Where the database does not
   * answer, the last ones that were read.
   * @throws ServiceError 503 where none were read since the start, or were never built from their topic
   */
  async current(): Promise<SwitchesState> {
    try {
      return await this.cache.forceFetch(SWITCHES_KEY);
    } catch {
      const { failure } = this;
      // While they are being built, the service is not ready and reports that already.
      if (failure instanceof ServiceError) throw failure;
      this.trouble.report('no switches were read since the start', { err: failure });
      throw unavailable(UNKNOWN);
    }
  }

  private async read(): Promise<SwitchesState> {
    // An empty table pauses nothing only once the whole topic was read into it.
    this.isBuilt ||= await this.projections.isBuilt(TOPICS.switches.name);
    if (!this.isBuilt) throw unavailable(UNKNOWN);
    const id = SWITCHES_KEY;
    const stored = await this.dataSource.manager.findOneBy(SwitchesEntity, { id });
    const { version, paused } = stored ?? NO_SWITCHES;
    if (version === this.newest.version) return this.newest;
    this.newest = { version, paused };
    const names = paused.map((pause) => pauseName(pause));
    this.context.logger.info({ version, paused: names }, 'switches took effect');
    return this.newest;
  }

  private exposeMetrics(): void {
    const current = (): Promise<SwitchesState | null> => this.current().catch(() => null);
    const registers = [this.context.metrics];
    new Gauge({
      name: 'switches_version',
      help: 'Version of the switches that this process applies.',
      registers,
      async collect() {
        const switches = await current();
        if (switches !== null) this.set(switches.version);
      },
    });
    new Gauge({
      name: 'switch_on_seconds',
      help: 'Seconds since an operator turned a switch on; absent for switches that are off.',
      labelNames: ['kind', 'subject'],
      registers,
      async collect() {
        const switches = await current();
        if (switches === null) return;
        this.reset();
        for (const { kind, subject, since } of switches.paused) {
          const seconds = (Date.now() - Date.parse(since)) / 1_000;
          this.set({ kind, subject: subject ?? '' }, Math.max(seconds, 0));
        }
      },
    });
  }
}
