import { IdempotencyModule } from '@bascule/idempotency';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Module, type DynamicModule } from '@nestjs/common';
import { AttemptService } from './delivery/attempt.service.js';
import { DeliveryMetricsService } from './delivery/delivery-metrics.service.js';
import { DispatcherWorker } from './delivery/dispatcher.worker.js';
import { ResultWriterService } from './delivery/result-writer.service.js';
import { WebhookClient } from './delivery/webhook.client.js';
import { DestinationPolicyAdapter } from './destinations/destination-policy.adapter.js';
import { EnqueueService } from './enqueue/enqueue.service.js';
import { PaymentConsumer } from './enqueue/payment.consumer.js';
import { KeyRotationService } from './maintenance/key-rotation.service.js';
import { MaintenanceWorker } from './maintenance/maintenance.worker.js';
import { OperationsController } from './operations/operations.controller.js';
import { OperationsService } from './operations/operations.service.js';
import { CircuitRepository } from './persistence/circuit.repository.js';
import { ClaimRepository } from './persistence/claim.repository.js';
import { DeliveryLogRepository } from './persistence/delivery-log.repository.js';
import { DeliveryRepository } from './persistence/delivery.repository.js';
import { DeliveryCleanupRepository } from './persistence/delivery-cleanup.repository.js';
import { PartitionsRepository } from './persistence/partitions.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { ResultsRepository } from './persistence/results.repository.js';
import { WebhookRepository } from './persistence/webhook.repository.js';
import { SecretCipher } from './secrets/secret-cipher.js';
import { WebhookSecretsService } from './secrets/webhook-secrets.service.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from './config/webhook-dispatch.config.js';
import { WebhookRequestReaderService } from './webhooks/webhook-request-reader.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({})
export class WebhookDispatchModule {
  static register(config: WebhookDispatchConfig): DynamicModule {
    return {
      module: WebhookDispatchModule,
      imports: [
        PersistenceModule.register({ database: config.database, entities, migrations }),
        IdempotencyModule.register({ keys: config.secretKeys }),
        MessagingModule.register({
          group: 'webhook-dispatch',
          publishes: false,
          consumes: true,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
          concurrency: config.EVENT_CONCURRENCY,
          pauseOrganisations: config.EVENT_PAUSE_ORGANISATIONS,
        }),
      ],
      controllers: [WebhooksController, OperationsController, PaymentConsumer],
      providers: [
        { provide: WEBHOOK_DISPATCH_CONFIG, useValue: config },
        { provide: SecretCipher, useFactory: () => new SecretCipher(config.secretKeys) },
        {
          provide: DestinationPolicyAdapter,
          inject: [ServiceContext],
          useFactory: (context: ServiceContext) => destinationPolicy(config, context),
        },
        WebhookRepository,
        DeliveryRepository,
        DeliveryLogRepository,
        ClaimRepository,
        ResultsRepository,
        CircuitRepository,
        DeliveryCleanupRepository,
        PartitionsRepository,
        WebhookRequestReaderService,
        WebhooksService,
        OperationsService,
        WebhookSecretsService,
        WebhookClient,
        DeliveryMetricsService,
        AttemptService,
        ResultWriterService,
        EnqueueService,
        KeyRotationService,
        MaintenanceWorker,
        DispatcherWorker,
      ],
    };
  }
}

function destinationPolicy(
  { allowLoopback }: WebhookDispatchConfig,
  { logger }: ServiceContext,
): DestinationPolicyAdapter {
  if (allowLoopback) {
    logger.warn('WEBHOOK_ALLOW_LOOPBACK is on: webhooks may call this machine; not for production');
  }
  return new DestinationPolicyAdapter(allowLoopback);
}
