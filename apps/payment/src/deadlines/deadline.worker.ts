import { Chains, witnessesNeeded } from '@bascule/chain';
import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import type { Venue } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { NativeSearchesRepository } from '../deposits/native-searches.repository.js';
import { SetAsideRepository } from '../deposits/set-aside.repository.js';
import { VENUES, venuesFor } from '../execution/conversion.client.js';
import { declaredLeg } from '../execution/leg-input.js';
import { applyDeadlines, nextDeadlineCheck } from '../life-cycle/deadlines.js';
import { nextLeg, startableLeg } from '../life-cycle/legs.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { endExpiredWithdrawals } from '../life-cycle/withdrawals.js';
import { IS_OPEN } from '../persistence/open-payments.js';
import { PausesService } from '../pauses/pauses.service.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';

/** Time for which deadlines wait for a second node that is not read: then, the first one's word counts. */
const PATIENCE_MS = 600_000;

/** Applies deadlines, once the scanner has passed them on the payment's chain. */
@Injectable()
export class DeadlineWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<{ id: string; traceparent: string | null }>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly reader: PaymentReaderRepository,
    private readonly payments: PaymentStoreRepository,
    private readonly aside: SetAsideRepository,
    private readonly searches: NativeSearchesRepository,
    private readonly pauses: PausesService,
    private readonly chains: Chains,
    context: ServiceContext,
    @Inject(VENUES) private readonly venues: readonly Venue[],
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.worker = new DueWorker({
      name: 'payment deadlines',
      dataSource,
      table: 'payments',
      select: 'id, traceparent',
      traceparentOf: ({ traceparent }) => traceparent,
      batchSize: 50,
      concurrency: 4,
      leaseMs: 10_000,
      pollMs: timing.workerPollMs,
      handle: ({ id }) => this.handle(id),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  private async handle(paymentId: string): Promise<void> {
    const found = await this.reader.find(paymentId);
    if (found === null) return;
    // Read before the lock: arrivals up to these times are recorded, but on chains where the payment is set aside, or where
    // native currency of its wallet is searched for.
    const confirmedUpTo = await this.confirmedUpTo();
    // In this order: the scanner sets a payment aside in the transaction that ends its search.
    const searchedOn = await this.searches.chainsHeld(paymentId);
    for (const chain of await this.aside.chainsOf(paymentId)) confirmedUpTo.delete(chain);
    const isHeld = await this.isHeld(found.payment);
    await this.dataSource.transaction(async (manager) => {
      let next: Date | null = null;
      await this.payments.change(manager, paymentId, (payment, now) => {
        const chain = nextLeg(payment)?.chain ?? '';
        const isSearched = payment.fundedInFullAt === null && searchedOn.has(chain);
        const seen = isSearched ? undefined : confirmedUpTo.get(chain);
        const ended = endExpiredWithdrawals(payment, confirmedUpTo, now);
        const after = seen === undefined ? ended : applyDeadlines(ended, seen, now, isHeld);
        if (after === payment) next = nextDeadlineCheck(payment, now);
        return after;
      });
      if (next === null) return;
      await manager.query(`UPDATE payments SET due_at = $2 WHERE id = $1 AND ${IS_OPEN}`, [
        paymentId,
        next,
      ]);
    });
  }

  /** Whether a switch keeps the next leg of a funded payment from starting. */
  private async isHeld(payment: PaymentRecord): Promise<boolean> {
    const leg = startableLeg(payment);
    if (leg === undefined) return false;
    const chain = this.chains.find(leg.chain);
    const usable = chain ? venuesFor(this.venues, chain, declaredLeg(payment, leg.index)) : [];
    return this.pauses.mayHold(payment, leg.index, usable);
  }

  /**
   * Time of the newest final block that was scanned, by chain; where several nodes are configured, of the newest one that
   * was read from two, as long as that gets on.
   */
  private async confirmedUpTo(): Promise<Map<string, Date>> {
    const readTwice = this.chains.all().filter((chain) => witnessesNeeded(chain) > 1);
    const rows: { chain: string; at: Date }[] = await this.dataSource.query(
      `SELECT chain, CASE WHEN chain = ANY($1) AND reread_block_number < confirmed_block_number
           AND coalesce(reread_failing_since > now() - $2 * interval '1 millisecond', true)
         THEN least(reread_block_timestamp, confirmed_block_timestamp)
         ELSE confirmed_block_timestamp END AS at
       FROM chain_cursors WHERE confirmed_block_timestamp IS NOT NULL`,
      [readTwice.map(({ name }) => name), PATIENCE_MS],
    );
    return new Map(rows.map(({ chain, at }) => [chain, at]));
  }
}
