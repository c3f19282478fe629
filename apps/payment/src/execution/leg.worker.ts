import { NODE_PASS_LEASE_MS, NODE_PASS_MS } from '@bascule/chain';
import { DueWorker } from '@bascule/persistence';
import { ScreeningUnavailableError } from '@bascule/screening';
import { ServiceContext, withSpan } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Bridge } from '@bascule/venues';
import { DataSource } from 'typeorm';
import { BRIDGES, PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { legAt } from '../life-cycle/legs.js';
import { isPolled } from '../life-cycle/open-transfers.js';
import { partyShares } from '../persistence/party-shares.js';
import type { PartyShare } from '../persistence/party-shares.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { LegStartService } from './leg-start.service.js';
import { LegTransfersService } from './leg-transfers.service.js';
import { LegSlotsWorker } from './leg-slots.worker.js';

interface LegRow {
  payment_id: string;
  leg_index: number;
  chain: string;
  /** Destination chain of its transfer; null without one. */
  destination: string | null;
  traceparent: string | null;
  /** As text: a date would lose its microseconds. */
  leased_until: string;
}

/** Delay, from the claim on, of a leg that waits for a change or a slot. */
const POSTPONED_MS = 10_000;
const RETRY_MS = 2_000;
/** Slots of the legs over each bridge, and as many of all other legs. */
const SLOTS = { all: 4, forSlowChains: 1 };

/** Starts due legs, and follows their transfers. The legs over a bridge wait for no other bridge. */
@Injectable()
export class LegWorker implements OnApplicationBootstrap {
  private readonly workers: readonly DueWorker<LegRow>[];

  constructor(
    private readonly dataSource: DataSource,
    private readonly reader: PaymentReaderRepository,
    private readonly store: PaymentStoreRepository,
    private readonly starter: LegStartService,
    private readonly transfers: LegTransfersService,
    private readonly context: ServiceContext,
    @Inject(BRIDGES) bridges: ReadonlyMap<string, Bridge>,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {
    this.workers = partyShares('bridge', [...bridges.keys()]).map((share) => this.workerOf(share));
  }

  private workerOf({ party, where }: PartyShare): DueWorker<LegRow> {
    const { dataSource, context } = this;
    const slots = new LegSlotsWorker(NODE_PASS_MS, SLOTS.forSlowChains);
    return new DueWorker<LegRow>({
      name: party === null ? 'legs' : `legs over ${party}`,
      dataSource,
      table: 'legs',
      where,
      select: `payment_id, leg_index, chain, due_at::text AS leased_until,
        transfer->'transfer'->>'destinationChain' AS destination,
        (SELECT traceparent FROM payments WHERE id = payment_id) AS traceparent`,
      traceparentOf: ({ traceparent }) => traceparent,
      batchSize: 20,
      concurrency: SLOTS.all,
      leaseMs: NODE_PASS_LEASE_MS,
      pollMs: this.config.timing.workerPollMs,
      handle: (row) =>
        withSpan(
          'advance leg',
          { 'bascule.payment_id': row.payment_id, 'bascule.leg': row.leg_index },
          () => this.handle(row, slots),
        ),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.workers.forEach((worker) => worker.start());
  }

  wake(): void {
    this.workers.forEach((worker) => worker.wake());
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  private async advance(paymentId: string, legIndex: number): Promise<void> {
    const found = await this.reader.find(paymentId);
    if (!found) return;
    const { payment, now } = found;
    await (isPolled(payment, legAt(payment, legIndex))
      ? this.transfers.look(payment, legIndex, now)
      : this.starter.start(payment, legIndex, now));
  }

  private async noteWait({ payment_id, leg_index: leg, chain }: LegRow, error: unknown) {
    const isScreening = error instanceof ScreeningUnavailableError;
    const reason = isScreening ? 'screening unavailable' : 'chain or service unavailable';
    const entry = { type: 'leg.waiting', facts: { leg, chain, reason } } as const;
    await this.dataSource.transaction((manager) => this.store.note(manager, payment_id, entry));
  }

  /** A leg without a slot, or whose pass has scheduled nothing, would otherwise wait for the end of its lease. */
  private async postponeUnscheduled({ payment_id, leg_index, leased_until }: LegRow) {
    await this.dataSource.query(
      `UPDATE legs SET due_at = due_at - $4 * interval '1 millisecond'
       WHERE payment_id = $1 AND leg_index = $2 AND due_at = $3::timestamptz`,
      [payment_id, leg_index, leased_until, NODE_PASS_LEASE_MS - POSTPONED_MS],
    );
  }

  private async handle(row: LegRow, slots: LegSlotsWorker): Promise<void> {
    const { payment_id: paymentId, leg_index: legIndex, chain, destination } = row;
    try {
      const way = destination === null ? chain : `${chain} to ${destination}`;
      await slots.run(way, () => this.advance(paymentId, legIndex));
      await this.postponeUnscheduled(row);
    } catch (error) {
      // A failure of nodes or the database is no failed attempt.
      const about = { err: error, payment_id: paymentId, leg: legIndex };
      this.context.logger.warn(about, 'leg could not be advanced');
      await this.noteWait(row, error);
      await this.dataSource.query(
        `UPDATE legs SET due_at = now() + $3 * interval '1 millisecond'
         WHERE payment_id = $1 AND leg_index = $2 AND due_at IS NOT NULL`,
        [paymentId, legIndex, RETRY_MS],
      );
    }
  }
}
