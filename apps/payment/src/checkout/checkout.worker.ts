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
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { CheckoutScheduleRepository } from './checkout-schedule.repository.js';

interface CheckoutRow {
  payment_id: string;
  lease: string;
  traceparent: string | null;
}

/** Polls providers for open orders: after a callback, and at an interval, since callbacks get lost. */
@Injectable()
export class CheckoutWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<CheckoutRow>;

  constructor(
    dataSource: DataSource,
    private readonly schedule: CheckoutScheduleRepository,
    private readonly reader: PaymentReaderRepository,
    private readonly payments: PaymentStoreRepository,
    private readonly context: ServiceContext,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {
    this.worker = new DueWorker({
      name: 'onramp orders',
      dataSource,
      table: 'checkouts',
      idColumn: 'payment_id',
      select: `payment_id, due_at::text AS lease,
        (SELECT traceparent FROM payments WHERE id = payment_id) AS traceparent`,
      traceparentOf: ({ traceparent }) => traceparent,
      batchSize: 50,
      concurrency: 8,
      leaseMs: 30_000,
      pollMs: config.timing.workerPollMs,
      handle: ({ payment_id, lease }) => this.handle(payment_id, lease),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  wake(): void {
    this.worker.wake();
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
  return provider.status({
    paymentId: payment.id,
    checkoutId,
    token,
    tokenDecimals: decimalsOf(payment, token),
    depositAddress: payment.walletAddress,
  });
};

const reported = (order: OnrampOrder, askedAt: Date): ReportedOrder => ({
  askedAt,
  status: order.status,
  paidAt: order.paidAt ?? null,
  transactionHash: order.transactionHash ?? null,
  failure: order.reason ?? null,
});
