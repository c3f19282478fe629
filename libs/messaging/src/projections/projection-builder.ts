import { type HeldLease, Lease } from '@bascule/persistence';
import {
  type HealthResult,
  RepeatedWarning,
  type ServiceContext,
  WakeSignal,
} from '@bascule/process';
import type { DataSource } from 'typeorm';
import { errorReason } from '../errors/error-reason.js';
import type { IncomingRecord, Transport } from '../transport/transport.js';
import { ProjectionRebuild } from './projection-rebuild.js';
import type { ProjectionSource } from './projection-sources.js';
import {
  type ProjectionProgress,
  ProjectionStatesRepository,
} from './projection-states.repository.js';

export interface ProjectionBuilderOptions {
  sources: readonly ProjectionSource[];
  dataSource: DataSource;
  transport: Pick<Transport, 'read'>;
  context: ServiceContext;
  apply: (record: IncomingRecord) => Promise<void>;
  concurrency: number;
  windowSize: number;
  pollMs: number;
  /** Lease of the building process. */
  leaseMs: number;
}

const LONGEST_WAIT_MS = 60_000;

/**
 * Builds projections that were never built or whose rebuild was requested, in one process at a time while all
 * processes consume. The service is ready once each projection is built.
 */
export class ProjectionBuilder {
  private readonly signal = new WakeSignal();
  private readonly states: ProjectionStatesRepository;
  private readonly lease: Lease;
  private readonly warning: RepeatedWarning;
  private unbuilt: HealthResult = 'projections not checked yet';
  private loop: Promise<void> | undefined;

  constructor(private readonly options: ProjectionBuilderOptions) {
    const { dataSource, context, leaseMs } = options;
    this.states = new ProjectionStatesRepository(dataSource);
    this.lease = new Lease({
      dataSource,
      name: 'projections',
      holder: context.instanceId,
      ttlMs: leaseMs,
    });
    this.warning = new RepeatedWarning(context.logger, 'building projections failed');
  }

  start(): void {
    const { context } = this.options;
    context.health.ready('projections', () => this.unbuilt);
    context.shutdown.stopping.addEventListener('abort', () => {
      this.signal.wake();
    });
    context.shutdown.add('work', 'projections', async () => this.loop);
    this.loop = this.run();
  }

  private async run(): Promise<void> {
    const { context, pollMs } = this.options;
    let waitMs = pollMs;
    while (!context.shutdown.stopping.aborted) {
      try {
        const isBuilt = await this.step();
        waitMs = pollMs;
        this.warning.clear();
        if (isBuilt) continue;
      } catch (error) {
        if (!context.shutdown.stopping.aborted) {
          this.warning.report(errorReason(error), { err: error });
        }
        // Reading a whole topic is expensive, so a failing build backs off.
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      }
      await this.signal.wait(waitMs);
    }
  }

  /** Builds one projection; true when there may be more. */
  private async step(): Promise<boolean> {
    if ((await this.due()).length === 0) return false;
    const held = await this.lease.acquire();
    if (held === null) return false;
    try {
      // The previous holder of the lease may have built it already.
      const [next] = await this.due();
      if (next !== undefined) await this.build(next, held);
      return next !== undefined;
    } finally {
      await this.lease.release().catch(() => undefined);
    }
  }

  private async due(): Promise<ProjectionSource[]> {
    const states = new Map((await this.states.all()).map((state) => [state.topic, state]));
    const { sources } = this.options;
    this.updateHealth(sources.filter((source) => !isBuilt(source, states.get(source.topic))));
    const due: ProjectionSource[] = [];
    for (const source of sources) {
      const isRequested = isDue(source, states.get(source.topic));
      if (isRequested || (await this.states.hasOutdated(source))) due.push(source);
    }
    return due;
  }

  /** Keeps a service ready during a rebuild. */
  private updateHealth(unbuilt: readonly ProjectionSource[]): void {
    if (this.unbuilt === true) return;
    const topics = unbuilt.map(({ topic }) => topic).join(', ');
    this.unbuilt = unbuilt.length === 0 || `projections are being built from ${topics}`;
  }

  private async build(source: ProjectionSource, held: HeldLease): Promise<void> {
    const { context, leaseMs } = this.options;
    const { logger } = context;
    const lost = new AbortController();
    const lose = (): void => {
      lost.abort(new Error('another process builds the projections'));
    };
    let heldUntil = performance.now() + leaseMs;
    const renewing = setInterval(() => {
      const asked = performance.now();
      if (asked >= heldUntil) lose();
      this.lease.renew().then(
        (isHeld) => {
          if (isHeld) heldUntil = asked + leaseMs;
          else lose();
        },
        () => undefined,
      );
    }, leaseMs / 3);
    const signal = AbortSignal.any([context.shutdown.stopping, lost.signal]);
    try {
      logger.info({ ...source }, 'projection build started');
      const rebuild = new ProjectionRebuild({
        ...this.options,
        states: this.states,
        lease: this.lease,
        logger,
      });
      await rebuild.run(source, held, signal);
    } finally {
      clearInterval(renewing);
    }
  }
}

const isBuilt = (
  { tables, revision }: ProjectionSource,
  state: ProjectionProgress | undefined,
): boolean =>
  state?.builtAt != null &&
  state.revision >= revision &&
  tables.every((table) => state.tables.includes(table));

const isDue = (source: ProjectionSource, state: ProjectionProgress | undefined): boolean =>
  !isBuilt(source, state) || state?.requestedAt != null;
