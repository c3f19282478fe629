import type { Chain } from '@bascule/chain';
import { Lease, LeaseLostError } from '@bascule/persistence';
import type { HeldLease } from '@bascule/persistence';
import { WakeSignal } from '@bascule/process';
import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { PaymentTiming } from '../config/payment.config.js';
import type { ChainScanner, ScanResult } from './chain.scanner.js';
import { ScanGuardRepository } from './scan-guard.repository.js';
import { ScanLag } from './scan-lag.js';

export interface ScanLoopOptions {
  chain: Chain;
  dataSource: DataSource;
  scanner: ChainScanner;
  context: ServiceContext;
  timing: PaymentTiming;
  passed: (result: ScanResult) => void;
  /** Passes that failed one after another; 0 where another replica scans. */
  failed: (passes: number) => void;
}

/** Scans a chain repeatedly while this replica holds the lease, and tries to acquire the lease otherwise. */
export class ScanLoopWorker {
  private readonly signal = new WakeSignal();
  private readonly lease: Lease;
  private readonly passMs: number;
  private readonly renewMs: number;
  private held: HeldLease | null = null;
  private renewedAt = 0;
  private failedPasses = 0;
  private readonly lag = new ScanLag();
  private stopped = false;
  private loop: Promise<void> | undefined;

  constructor(private readonly options: ScanLoopOptions) {
    const { chain, dataSource, context, timing } = options;
    this.passMs = Math.min(
      Math.max(chain.definition.blockTimeMs / 2, timing.scanPassMs.min),
      timing.scanPassMs.max,
    );
    this.renewMs = timing.scanLeaseMs / 3;
    this.lease = new Lease({
      dataSource,
      name: `scanner:${chain.name}`,
      holder: context.instanceId,
      ttlMs: timing.scanLeaseMs,
    });
  }

  start(): void {
    this.loop ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.signal.wake();
    await this.loop;
  }

  get chain(): Chain {
    return this.options.chain;
  }

  /** Null where another replica scans. */
  get lagMs(): number | null {
    return this.lag.msAt(performance.now());
  }

  private async run(): Promise<void> {
    while (!this.stopped) await this.signal.wait(await this.pass());
    await this.lease.release().catch(() => undefined);
  }

  /** Returns the delay before the next pass. */
  private async pass(): Promise<number> {
    const { chain, dataSource, scanner, context, timing, passed } = this.options;
    const { stopping } = context.shutdown;
    const began = performance.now();
    try {
      const held = await this.hold();
      if (!held) {
        this.count(0);
        this.lag.stop();
        return timing.standbyMs;
      }
      this.lag.passBegan(began);
      const stopRenewing = this.keepRenewing();
      let result: ScanResult;
      try {
        const guard = new ScanGuardRepository(dataSource, this.lease, held.epoch);
        result = await scanner.scan(chain, guard);
      } finally {
        stopRenewing();
      }
      passed(result);
      this.count(0);
      if (result.scanned >= result.head) this.lag.headReached(began);
      return result.scanned < result.head && !stopping.aborted ? 0 : this.passMs;
    } catch (error) {
      this.held = null;
      const isLost = error instanceof LeaseLostError;
      this.count(isLost ? 0 : this.failedPasses + 1);
      const level = isLost ? 'info' : 'warn';
      context.logger[level]({ err: error, chain: chain.name }, 'scan interrupted');
      return timing.scanRetryMs;
    } finally {
      this.warnOfLag();
    }
  }

  private warnOfLag(): void {
    const { chain, context } = this.options;
    if (!this.lag.shouldWarn(performance.now())) return;
    context.logger.warn({ chain: chain.name, lag_ms: this.lagMs }, 'scan behind the head');
  }

  private count(failedPasses: number): void {
    this.failedPasses = failedPasses;
    this.options.failed(failedPasses);
  }

  private async hold(): Promise<HeldLease | null> {
    if (this.held && Date.now() - this.renewedAt < this.renewMs) return this.held;
    const asked = Date.now();
    this.held = await this.lease.acquire();
    this.renewedAt = asked;
    return this.held;
  }

  /** Renews the lease: a pass that catches up takes longer than its TTL. */
  private keepRenewing(): () => void {
    const timer = setInterval(() => {
      // The next fenced write fails on a lost lease.
      this.lease.renew().catch(() => undefined);
    }, this.renewMs);
    return () => {
      clearInterval(timer);
    };
  }
}
