import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import type { OnrampOrder, OnrampProvider } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answeredAt, checkoutReported, nextPoll } from '../life-cycle/checkouts.js';
import type { ReportedOrder } from '../life-cycle/checkouts.js';
import { decimalsOf } from '../life-cycle/payment-record.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { ONRAMP_PROVIDERS, PAYMENT_CONFIG } from '../config/payment.config.js';
import type { OnrampProviders, PaymentConfig } from '../config/payment.config.js';
import { partyShares } from '../persistence/party-shares.js';
import type { PartyShare } from '../persistence/party-shares.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { CheckoutScheduleRepository } from './checkout-schedule.repository.js';

interface CheckoutRow {
  payment_id: string;
  lease: string;
  traceparent: string | null;
}

/** Polls of each provider at once. */
const POLLS = 8;
/** Within the lease, whatever time limit the provider is configured with. */
const POLL_TIMEOUT_MS = 10_000;

/** Polls providers for open orders: after a callback, and at an interval, since callbacks get lost. */
@Injectable()
export class CheckoutWorker implements OnApplicationBootstrap {
  /** By provider; null for the orders of all others. */
  private readonly workers: ReadonlyMap<string | null, DueWorker<CheckoutRow>>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly schedule: CheckoutScheduleRepository,
    private readonly reader: PaymentReaderRepository,
    private readonly payments: PaymentStoreRepository,
    private readonly context: ServiceContext,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {
    const shares = partyShares('provider', [...providers.keys()]);
    this.workers = new Map(shares.map((share) => [share.party, this.workerOf(share)]));
  }

  /** Orders of a slow provider delay no order of another one. */
  private workerOf({ party, where }: PartyShare): DueWorker<CheckoutRow> {
    const { dataSource, context, config } = this;
    return new DueWorker({
      name: party === null ? 'onramp orders' : `onramp orders of ${party}`,
      dataSource,
      table: 'checkouts',
      where,
      idColumn: 'payment_id',
      select: `payment_id, due_at::text AS lease,
        (SELECT traceparent FROM payments WHERE id = payment_id) AS traceparent`,
      traceparentOf: ({ traceparent }) => traceparent,
      batchSize: 50,
      concurrency: POLLS,
      leaseMs: 30_000,
      pollMs: config.timing.workerPollMs,
      handle: ({ payment_id, lease }) => this.handle(payment_id, lease),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.workers.forEach((worker) => worker.start());
  }

  wake(provider: string): void {
    this.workers.get(provider)?.wake();
  }

  private async handle(paymentId: string, lease: string): Promise<void> {
    const found = await this.reader.find(paymentId);
    if (found === null) return;
    const order = await this.orderOf(found.payment, found.now);
    if (order !== null) {
      await this.payments.changeNow(paymentId, (payment, now) =>
        checkoutReported(payment, order, now),
      );
    }
    await this.scheduleNext(paymentId, lease, order);
  }

  /** Null without a valid answer about this order. */
  private async orderOf(payment: PaymentRecord, askedAt: Date): Promise<ReportedOrder | null> {
    const { checkout } = payment;
    const provider = checkout === null ? undefined : this.providers.get(checkout.provider);
    if (checkout?.checkoutId == null || provider === undefined) return null;
    try {
      return reported(await statusOf(provider, payment, checkout.checkoutId), askedAt);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.context.logger.warn({ err: error, payment_id: payment.id }, 'order could not be read');
      return null;
    }
  }

  private async scheduleNext(
    paymentId: string,
    lease: string,
    order: ReportedOrder | null,
  ): Promise<void> {
    const found = await this.reader.find(paymentId);
    if (found === null) return;
    const answered = order === null ? null : answeredAt(order);
    const next = nextPoll(found.payment, found.now, {
      intervalMs: this.config.checkoutPollMs,
      answeredAt: answered,
    });
    await this.schedule.asked({ paymentId, lease, next, answeredAt: answered });
  }
}

const statusOf = (
  provider: OnrampProvider,
  payment: PaymentRecord,
  checkoutId: string,
): Promise<OnrampOrder> => {
  const { token } = payment.plan.deposit;
  const order = {
    paymentId: payment.id,
    checkoutId,
    token,
    tokenDecimals: decimalsOf(payment, token),
    depositAddress: payment.walletAddress,
  };
  return provider.status(order, AbortSignal.timeout(POLL_TIMEOUT_MS));
};

const reported = (order: OnrampOrder, askedAt: Date): ReportedOrder => ({
  askedAt,
  status: order.status,
  paidAt: order.paidAt ?? null,
  transactionHash: order.transactionHash ?? null,
  failure: order.reason ?? null,
});
