import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { LegWorker } from '../execution/leg.worker.js';
import { ChainScanner } from './chain.scanner.js';
import type { ScanResult } from './chain.scanner.js';
import { ScanLoopWorker } from './scan-loop.worker.js';

/** Runs one scanner per chain among all replicas. */
@Injectable()
export class ScannersWorker implements OnApplicationBootstrap {
  private readonly loops: ScanLoopWorker[];

  constructor(
    chains: Chains,
    dataSource: DataSource,
    scanner: ChainScanner,
    legs: LegWorker,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    const gauge = blockGauge(context);
    const failedPasses = failedPassesGauge(context);
    this.loops = chains.all().map((chain) => {
      const passed = ({ isFunded, scanned, head }: ScanResult) => {
        gauge.set({ chain: chain.name, block: 'scanned' }, Number(scanned));
        gauge.set({ chain: chain.name, block: 'head' }, Number(head));
        if (isFunded) legs.wake();
      };
      const failed = (passes: number) => failedPasses.set({ chain: chain.name }, passes);
      return new ScanLoopWorker({ chain, dataSource, scanner, context, timing, passed, failed });
    });
    showLag(context, this.loops);
  }

  onApplicationBootstrap(): void {
    this.context.shutdown.add('work', 'scanners', () => this.stop());
    for (const loop of this.loops) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}

const blockGauge = ({ metrics }: ServiceContext) =>
  new Gauge({
    name: 'payment_scanner_block',
    help: "The chain's head and the newest scanned block, on the replica that scans.",
    labelNames: ['chain', 'block'],
    registers: [metrics],
  });

const failedPassesGauge = ({ metrics }: ServiceContext) =>
  new Gauge({
    name: 'payment_scanner_failed_passes',
    help: "Passes of a chain's scanner that failed one after another, on the replica that scans.",
    labelNames: ['chain'],
    registers: [metrics],
  });

function showLag({ metrics }: ServiceContext, loops: readonly ScanLoopWorker[]): void {
  new Gauge({
    name: 'payment_scanner_lag_seconds',
    help: 'Time since the head was read to which a chain is scanned, on the replica that scans.',
    labelNames: ['chain'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { chain, lagMs } of loops) {
        if (lagMs !== null) this.set({ chain: chain.name }, lagMs / 1_000);
      }
    },
  });
}
