import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PaymentReader } from '../persistence/payment-reader.repository.js';
import { LegStarter } from './leg-start.service.js';

interface LegRow {
  payment_id: string;
  leg_index: number;
}

/** Longer than a node may take to answer; also how long a leg that has to wait is left alone. */
const LEASE_MS = 5_000;

/** Starts the legs that are due. */
@Injectable()
export class LegWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<LegRow>;

  constructor(
    dataSource: DataSource,
    private readonly reader: PaymentReader,
    private readonly starter: LegStarter,
    context: ServiceContext,
  ) {
    this.worker = new DueWorker<LegRow>({
      name: 'legs',
      dataSource,
      table: 'legs',
      select: 'payment_id, leg_index',
      batchSize: 20,
      concurrency: 4,
      leaseMs: LEASE_MS,
      pollMs: 500,
      handle: ({ payment_id, leg_index }) => this.handle(payment_id, leg_index),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  wake(): void {
    this.worker.wake();
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }

  private async handle(paymentId: string, legIndex: number): Promise<void> {
    const found = await this.reader.find(paymentId);
    if (found) await this.starter.start(found.payment, legIndex);
  }
}
