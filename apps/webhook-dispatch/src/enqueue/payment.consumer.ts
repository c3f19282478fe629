import { isHandledBy, TOPICS, type PaymentEvent } from '@bascule/contracts';
import { currentTraceparent } from '@bascule/process';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import { EnqueueService } from './enqueue.service.js';
import { isPastRetention, workflowOutcome } from '../rules/workflow-outcome.js';

/** Enqueues a delivery for each webhook that subscribed to the outcome of a payment. */
@Controller()
export class PaymentConsumer {
  constructor(
    private readonly enqueueing: EnqueueService,
    @Inject(WEBHOOK_DISPATCH_CONFIG) private readonly config: WebhookDispatchConfig,
  ) {}

  @EventPattern<Record<string, PaymentEvent>>(TOPICS.payment.name)
  async on(@Payload() event: PaymentEvent): Promise<void> {
    if (!isHandledBy('webhook-dispatch', event)) return;
    const outcome = workflowOutcome(event);
    if (outcome === null || isPastRetention(outcome, new Date(), this.config.retentionDays)) return;
    await this.enqueueing.add({
      id: event.id,
      time: event.time,
      outcome,
      traceparent: currentTraceparent(),
    });
  }
}
