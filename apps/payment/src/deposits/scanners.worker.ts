import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Lease, LeaseLostError } from '@bascule/persistence';
import { ServiceContext, WakeSignal } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LegWorker } from '../execution/leg.worker.js';
import { ChainScanner } from './chain.scanner.js';
import { ScanGuard } from './scan-guard.repository.js';

/** Together under 10 s: how long a chain may be without a scanner after a replica has died. */
const LEASE_TTL_MS = 6_000;
const STANDBY_MS = 2_000;
const RETRY_MS = 1_000;
const PASS_MS = { min: 200, max: 2_000 };

/** One scanner per chain at a time, among all replicas. */
@Injectable()
export class ScannersWorker implements OnApplicationBootstrap {
  private readonly wakes: WakeSignal[] = [];
  private loops: Promise<void>[] = [];
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly scanner: ChainScanner,
    private readonly legs: LegWorker,
    private readonly context: ServiceContext,
  ) {}

  onApplicationBootstrap(): void {
    this.context.shutdown.add('work', 'scanners', () => this.stop());
    this.loops = this.chains.all().map((chain) => this.run(chain));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const wake of this.wakes) wake.wake();
    await Promise.all(this.loops);
  }

  private async run(chain: Chain): Promise<void> {
    const wake = new WakeSignal();
    this.wakes.push(wake);
    const lease = new Lease({
      dataSource: this.dataSource,
      name: `scanner:${chain.name}`,
      holder: this.context.instanceId,
      ttlMs: LEASE_TTL_MS,
    });
    while (!this.stopped) await wake.wait(await this.pass(chain, lease));
    await lease.release().catch(() => undefined);
  }

  /** Returns how long to wait before the next one. */
  private async pass(chain: Chain, lease: Lease): Promise<number> {
    try {
      const held = await lease.acquire();
      if (!held) return STANDBY_MS;
      const guard = new ScanGuard(this.dataSource, lease, held.epoch);
      const stopRenewing = this.keep(lease);
      try {
        const { isFunded } = await this.scanner.scan(chain, guard);
        if (isFunded) this.legs.wake();
      } finally {
        stopRenewing();
      }
      return Math.min(Math.max(chain.definition.blockTimeMs / 3, PASS_MS.min), PASS_MS.max);
    } catch (error) {
      const level = error instanceof LeaseLostError ? 'info' : 'warn';
      this.context.logger[level]({ err: error, chain: chain.name }, 'a scan was broken off');
      return RETRY_MS;
    }
  }

  /** A pass that catches up takes longer than the lease. */
  private keep(lease: Lease): () => void {
    const timer = setInterval(() => {
      // A lease that cannot be renewed is noticed by the next guarded write.
      lease.renew().catch(() => undefined);
    }, LEASE_TTL_MS / 3);
    return () => {
      clearInterval(timer);
    };
  }
}
