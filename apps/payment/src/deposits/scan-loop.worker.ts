import type { Chain } from '@bascule/chain';
import { Lease, LeaseLostError } from '@bascule/persistence';
import type { HeldLease } from '@bascule/persistence';
import { WakeSignal } from '@bascule/process';
import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { ChainScanner, ScanResult } from './chain.scanner.js';
import { ScanGuardRepository } from './scan-guard.repository.js';

/** With {@link STANDBY_MS} under 10 s: the longest gap in scanning after a replica crashed. */
const LEASE_TTL_MS = 6_000;
const RENEW_MS = LEASE_TTL_MS / 3;
const STANDBY_MS = 2_000;
const RETRY_MS = 1_000;
const PASS_MS = { min: 200, max: 2_000 };

export interface ScanLoopOptions {
  chain: Chain;
  dataSource: DataSource;
  scanner: ChainScanner;
  context: ServiceContext;
  passed: (result: ScanResult) => void;
}

/** Scans a chain repeatedly while this replica holds the lease, and tries to acquire the lease otherwise. */
export class ScanLoopWorker {
  private readonly signal = new WakeSignal();
  private readonly lease: Lease;
  private readonly passMs: number;
  private held: HeldLease | null = null;
  private renewedAt = 0;
  private stopped = false;
  private loop: Promise<void> | undefined;

  constructor(private readonly options: ScanLoopOptions) {
    const { chain, dataSource, context } = options;
    this.passMs = Math.min(Math.max(chain.definition.blockTimeMs / 2, PASS_MS.min), PASS_MS.max);
    this.lease = new Lease({
      dataSource,
      name: `scanner:${chain.name}`,
      holder: context.instanceId,
      ttlMs: LEASE_TTL_MS,
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

  private async run(): Promise<void> {
    while (!this.stopped) await this.signal.wait(await this.pass());
    await this.lease.release().catch(() => undefined);
  }

  /** Returns the delay before the next pass. */
  private async pass(): Promise<number> {
    const { chain, dataSource, scanner, context, passed } = this.options;
    try {
      const held = await this.hold();
      if (!held) return STANDBY_MS;
      const stopRenewing = this.keepRenewing();
      try {
        passed(
          await scanner.scan(chain, new ScanGuardRepository(dataSource, this.lease, held.epoch)),
        );
      } finally {
        stopRenewing();
      }
      return this.passMs;
    } catch (error) {
      this.held = null;
      const level = error instanceof LeaseLostError ? 'info' : 'warn';
      context.logger[level]({ err: error, chain: chain.name }, 'scan interrupted');
      return RETRY_MS;
    }
  }

  private async hold(): Promise<HeldLease | null> {
    if (this.held && Date.now() - this.renewedAt < RENEW_MS) return this.held;
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
    }, RENEW_MS);
    return () => {
      clearInterval(timer);
    };
  }
}
