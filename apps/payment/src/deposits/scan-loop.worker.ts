import type { Chain } from '@bascule/chain';
import { Lease, LeaseLostError } from '@bascule/persistence';
import type { HeldLease } from '@bascule/persistence';
import { WakeSignal } from '@bascule/process';
import type { ServiceContext } from '@bascule/process';
import type { DataSource } from 'typeorm';
import type { ChainScanner, ScanResult } from './chain.scanner.js';
import { ScanGuardRepository } from './scan-guard.repository.js';

/** With {@link STANDBY_MS} under 10 s: how long a chain may be without a scanner after a replica has died. */
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

/** Scans a chain again and again while this replica holds its lease, and asks for the lease while it does not. */
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

  /** Returns how long to wait before the next one. */
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
      context.logger[level]({ err: error, chain: chain.name }, 'a scan was broken off');
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

  /** A pass that catches up takes longer than the lease. */
  private keepRenewing(): () => void {
    const timer = setInterval(() => {
      // A lease that cannot be renewed is noticed by the next guarded write.
      this.lease.renew().catch(() => undefined);
    }, RENEW_MS);
    return () => {
      clearInterval(timer);
    };
  }
}
