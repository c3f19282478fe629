import { Chains, witnessesNeeded } from '@bascule/chain';
import { DueWorker, gaugeByChain, literal, slotsPerChain } from '@bascule/persistence';
import { ServiceContext, unlessAborted } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import { SecondReadingService } from './second-reading.service.js';

/** Time after which a turn reads no further blocks, so that it ends before its lease where nodes answer. */
const TURN_MS = 30_000;
const LEASE_MS = 120_000;
const RETRY_MS = 5_000;

/** Reads the final blocks of each chain again from a second node, apart from the scan, which waits for none. */
@Injectable()
export class SecondReadingWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<{ chain: string }>;
  private readonly passMs: PaymentConfig['timing']['scanPassMs'];

  constructor(
    private readonly chains: Chains,
    private readonly cursors: ScanCursorRepository,
    private readonly reading: SecondReadingService,
    private readonly context: ServiceContext,
    dataSource: DataSource,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.passMs = timing.scanPassMs;
    const names = chains.all().map(({ name }) => name);
    const readTwice = chains.all().filter((chain) => witnessesNeeded(chain) > 1);
    this.worker = new DueWorker({
      ...slotsPerChain(1, names.length),
      name: 'second reading of blocks',
      dataSource,
      table: 'chain_cursors',
      idColumn: 'chain',
      select: 'chain',
      where: names.length === 0 ? 'false' : `chain IN (${names.map(literal).join(', ')})`,
      leaseMs: LEASE_MS,
      pollMs: timing.workerPollMs,
      handle: (row) => this.handle(row),
      context,
    });
    gaugeByChain(
      context.metrics,
      {
        name: 'payment_scanner_unread_seconds',
        help: 'Time between the newest final block of a chain and the newest one that was read from a second node.',
      },
      () => cursors.unreadSeconds(readTwice.map((chain) => chain.name)),
    );
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  private async handle({ chain: name }: { chain: string }): Promise<void> {
    const chain = this.chains.get(name);
    const ends = performance.now() + TURN_MS;
    let delayMs = Math.max(this.passMs.min, chain.definition.blockTimeMs / 2);
    const { stopping } = this.context.shutdown;
    let hasFailed: boolean | undefined;
    try {
      while (performance.now() < ends) {
        // A node may hang: the stop does not wait for it.
        const outcome = await unlessAborted(stopping, () => this.reading.next(chain));
        hasFailed = outcome === 'failed';
        if (outcome !== 'read') break;
      }
    } catch (error) {
      if (!stopping.aborted) {
        this.context.logger.warn({ err: error, chain: name }, 'second node not read');
        hasFailed = true;
        delayMs = RETRY_MS;
      }
    }
    await this.cursors.rereadLater(name, delayMs, hasFailed);
  }
}
