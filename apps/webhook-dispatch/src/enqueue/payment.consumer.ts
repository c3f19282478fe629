import { TOPICS, type PaymentEvent } from '@bascule/contracts';
import { Inbox } from '@bascule/messaging';
import { currentTraceparent, faultPoint } from '@bascule/process';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { Dispatcher } from '../delivery/dispatcher.worker.js';
import { DeliveryRepository } from '../persistence/delivery.repository.js';
import { WEBHOOK_DISPATCH_CONFIG, type WebhookDispatchConfig } from '../webhook-dispatch.config.js';
import { isForgotten, workflowOutcome } from './workflow-outcome.js';

/** Enqueues a delivery for each webhook that asked for what became of a payment. */
@Controller()
export class PaymentConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly deliveries: DeliveryRepository,
    private readonly dispatcher: Dispatcher,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
  ) {}

  @EventPattern<Record<string, PaymentEvent>>(TOPICS.payment.name)
  async on(@Payload() event: PaymentEvent): Promise<void> {
    const outcome = workflowOutcome(event);
    if (outcome === null || isForgotten(outcome, new Date(), this.config.retentionDays)) return;
    const traceparent = currentTraceparent();
    const enqueued = await this.dataSource.transaction(async (manager) =>
      (await this.inbox.once(manager, event))
        ? this.deliveries.enqueue(manager, outcome, { traceparent })
        : 0,
    );
    if (enqueued === 0) return;
    faultPoint('webhook.enqueued');
    this.dispatcher.wake();
  }
}
