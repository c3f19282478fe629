import { faultPoint } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Deposit, PaymentRecord } from '../life-cycle/payment-record.js';
import { DepositSumsRepository } from '../persistence/deposit-sums.repository.js';
import { PastWithdrawalsRepository } from '../persistence/past-withdrawals.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { Mutation } from '../persistence/payment-store.repository.js';
import { TimelineRepository } from '../persistence/timeline.repository.js';
import type { TokenFacts } from '../projections/asset-directory.repository.js';
import { SenderScreeningService } from '../screening/sender-screening.service.js';
import { placeDeposits } from './deposit-room.js';
import {
  depositOf,
  newDeposits,
  transferKey,
  withConfirmed,
  withDeposits,
  withoutBlocks,
} from './payment-deposits.js';
import type { Arrival } from './payment-deposits.js';
import { isCall, PLAIN_POSITION } from './transfers.js';

export interface Arrivals {
  readonly chain: string;
  readonly found: readonly Arrival[];
  readonly catalogue: ReadonlyMap<string, TokenFacts>;
}

/** Records what the scanner found for one payment, in the caller's transaction. */
@Injectable()
export class PaymentRecorderService {
  constructor(
    private readonly store: PaymentStoreRepository,
    private readonly sums: DepositSumsRepository,
    private readonly withdrawals: PastWithdrawalsRepository,
    private readonly senders: SenderScreeningService,
    private readonly timelines: TimelineRepository,
  ) {}

  /** Records deposits; those that are recorded already change nothing. */
  async record(manager: EntityManager, paymentId: string, arrivals: Arrivals): Promise<void> {
    let change: Mutation = (payment) => payment;
    await this.store.change(
      manager,
      paymentId,
      (payment, now) => change(payment, now),
      async (payment, now) => {
        const arrived = await this.newOf(manager, payment, arrivals);
        if (arrived.length === 0) return false;
        const { single, summed, absorbed } = placeDeposits(payment, arrived);
        if (summed.length > 0) await this.sums.add(manager, paymentId, summed);
        if (absorbed.length > 0) await this.sums.absorb(manager, paymentId, absorbed);
        const omitted = { type: 'deposit.seen', count: summed.length, now } as const;
        await this.timelines.omit(manager, paymentId, omitted);
        const senders = arrived.flatMap(({ sender }) => sender ?? []);
        const screened = await this.senders.arrived(manager, paymentId, senders);
        change = (read, at) => screened({ ...withDeposits(read, single) }, at);
        return summed.length > 0 || absorbed.length > 0 || hasSums(payment);
      },
    );
    faultPoint('payment.deposit-seen');
  }

  /** Marks deposits up to a height as final. Null for an unknown payment. */
  async confirm(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    upTo: bigint,
  ): Promise<PaymentRecord | null> {
    let confirmed = 0;
    const changed = await this.store.change(
      manager,
      paymentId,
      (payment) => {
        const after = withConfirmed(payment, chain, upTo);
        return confirmed > 0 ? { ...after } : after;
      },
      async (payment, now) => {
        if (!hasSums(payment)) return false;
        confirmed = await this.sums.confirm(manager, paymentId, chain, upTo);
        const omitted = { type: 'deposit.confirmed', count: confirmed, now } as const;
        await this.timelines.omit(manager, paymentId, omitted);
        return confirmed > 0;
      },
    );
    await this.senders.recheck(manager, paymentId);
    return changed;
  }

  /** Removes the facts of blocks from a height on, after a reorg. */
  async forget(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    from: bigint,
  ): Promise<void> {
    let forgotten = 0;
    await this.store.change(
      manager,
      paymentId,
      (payment, now) => {
        const after = withoutBlocks(payment, chain, from, now);
        return forgotten > 0 ? { ...after } : after;
      },
      async (payment, now) => {
        if (hasSums(payment)) {
          forgotten = await this.sums.forget(manager, paymentId, chain, from);
          const omitted = { type: 'deposit.reorganised', count: forgotten, now } as const;
          await this.timelines.omit(manager, paymentId, omitted);
        }
        const isRecalled = await this.withdrawals.recallFrom(manager, paymentId, chain, from);
        return isRecalled || forgotten > 0;
      },
    );
    await this.senders.recheck(manager, paymentId);
  }

  /**
   * Leaves out calls in blocks whose calls are recorded, maybe otherwise, and all native currency in blocks where a rise of the
   * balance is recorded, which counts what was not known then: nothing counts twice.
   */
  private async uncounted(
    manager: EntityManager,
    paymentId: string,
    found: readonly Arrival[],
  ): Promise<readonly Arrival[]> {
    const blocks = [...new Set(found.filter(isTraced).map(({ block }) => block.hash))];
    if (blocks.length === 0) return found;
    const rows: { hash: string; isRise: boolean }[] = await manager.query(
      `SELECT block_hash AS hash, bool_or(position LIKE 'balance:%') AS "isRise"
       FROM deposits WHERE payment_id = $1 AND block_hash = ANY($2)
         AND (position LIKE 'call:%' OR position LIKE 'balance:%' OR position LIKE 'trace:_%')
       GROUP BY block_hash`,
      [paymentId, blocks],
    );
    const counted = new Map(rows.map(({ hash, isRise }) => [hash, isRise]));
    return found.filter((it) => {
      const isRise = counted.get(it.block.hash);
      return !isTraced(it) || isRise === undefined || (!isRise && !isCall(it));
    });
  }

  private async newOf(
    manager: EntityManager,
    payment: PaymentRecord,
    { chain, found, catalogue }: Arrivals,
  ): Promise<Deposit[]> {
    const uncounted = await this.uncounted(manager, payment.id, found);
    const deposits = uncounted.flatMap((it) => depositOf(payment, it, catalogue, uuidv7) ?? []);
    const unknown = newDeposits(payment, deposits);
    if (!hasSums(payment) || unknown.length === 0) return unknown;
    const blocks = [...new Set(unknown.map(({ blockHash }) => blockHash))];
    const summed = await this.sums.known(manager, payment.id, chain, blocks);
    return unknown.filter((deposit) => !summed.has(transferKey(deposit)));
  }
}

/** Native currency of a transaction, or of a call within it as `trace_block` shows it. */
const isTraced = ({ position }: Arrival): boolean => position.startsWith(PLAIN_POSITION);

const hasSums = ({ deposits }: PaymentRecord): boolean =>
  deposits.some(({ sum }) => sum !== undefined);
