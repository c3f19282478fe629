import { TOPICS, type PaymentEvent } from '@bascule/contracts';
import { Inbox } from '@bascule/messaging';
import { faultPoint } from '@bascule/process';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { DeliveryWorker } from '../delivery/delivery.worker.js';
import { DeliveryRepository } from '../persistence/delivery.repository.js';
import { workflowOutcome } from './workflow-outcome.js';

/** Enqueues a delivery for each webhook that asked for what became of a payment. */
@Controller()
export class PaymentConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly deliveries: DeliveryRepository,
    private readonly worker: DeliveryWorker,
  ) {}

  @EventPattern<Record<string, PaymentEvent>>(TOPICS.payment.name)
  async on(@Payload() event: PaymentEvent): Promise<void> {
    const outcome = workflowOutcome(event);
    if (outcome === null) return;
    const enqueued = await this.dataSource.transaction(async (manager) =>
      (await this.inbox.once(manager, event)) ? this.deliveries.enqueue(manager, outcome) : 0,
    );
    if (enqueued === 0) return;
    faultPoint('webhook.enqueued');
    this.worker.wake();
  }
}
