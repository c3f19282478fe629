import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Module, type DynamicModule } from '@nestjs/common';
import { DeliveryMetrics } from './delivery/delivery-metrics.service.js';
import { DeliveryWorker } from './delivery/delivery.worker.js';
import { DestinationPolicy } from './delivery/destination-policy.adapter.js';
import { WebhookClient } from './delivery/webhook.client.js';
import { PaymentConsumer } from './enqueue/payment.consumer.js';
import { DeliveryRepository } from './persistence/delivery.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { WebhookRepository } from './persistence/webhook.repository.js';
import { SecretCipher } from './secrets/secret-cipher.js';
import { WEBHOOK_DISPATCH_CONFIG, type WebhookDispatchConfig } from './webhook-dispatch.config.js';
import { CreateWebhookReader } from './webhooks/create-webhook-reader.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({})
export class WebhookDispatchModule {
  static register(config: WebhookDispatchConfig): DynamicModule {
    return {
      module: WebhookDispatchModule,
      imports: [
        PersistenceModule.register({ database: config.database, entities, migrations }),
        MessagingModule.register({
          group: 'webhook-dispatch',
          publishes: false,
          consumes: true,
          environment: config.ENVIRONMENT,
        }),
      ],
      controllers: [WebhooksController, PaymentConsumer],
      providers: [
        { provide: WEBHOOK_DISPATCH_CONFIG, useValue: config },
        { provide: SecretCipher, useFactory: () => new SecretCipher(config.secretKeys) },
        {
          provide: DestinationPolicy,
          inject: [ServiceContext],
          useFactory: (context: ServiceContext) => destinationPolicy(config, context),
        },
        WebhookRepository,
        DeliveryRepository,
        CreateWebhookReader,
        WebhooksService,
        WebhookClient,
        DeliveryMetrics,
        DeliveryWorker,
      ],
    };
  }
}

function destinationPolicy(
  { allowLoopback }: WebhookDispatchConfig,
  { logger }: ServiceContext,
): DestinationPolicy {
  if (allowLoopback) {
    logger.warn(
      'WEBHOOK_ALLOW_LOOPBACK is on: webhooks may go to this machine. Not for production',
    );
  }
  return new DestinationPolicy(allowLoopback);
}
