import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { InternalTokenIssuer } from '@bascule/identity';
import { MessagingModule } from '@bascule/messaging';
import { PersistenceModule } from '@bascule/persistence';
import { AdmissionService } from './access/admission.service.js';
import { ApiKeysService } from './access/api-keys.service.js';
import { KeySelfService } from './access/key-self.service.js';
import { LinkTokensService } from './access/link-tokens.service.js';
import { ForwarderService } from './forwarding/forwarder.service.js';
import { ResponseCacheService } from './forwarding/response-cache.service.js';
import { RequestBodiesService } from './forwarding/request-bodies.service.js';
import { RequestsInFlightService } from './forwarding/requests-in-flight.service.js';
import { UpstreamsClient } from './forwarding/upstreams.client.js';
import { GATEWAY_CONFIG } from './config/gateway.config.js';
import type { GatewayConfig } from './config/gateway.config.js';
import { QuoteQuotaService } from './limits/quote-quota.service.js';
import { RateLimitsService } from './limits/rate-limits.service.js';
import { SwitchesVersionService } from './operator/switches-version.service.js';
import { ApiKeysRepository } from './persistence/api-keys.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';

@Module({})
export class GatewayModule {
  static register(config: GatewayConfig): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        PersistenceModule.register({ database: config.database, entities, migrations }),
        MessagingModule.register({
          group: 'gateway',
          publishes: true,
          consumes: false,
          environment: config.ENVIRONMENT,
          kafka: config.kafka,
          awaitsTopics: false,
        }),
      ],
      providers: [
        { provide: GATEWAY_CONFIG, useValue: config },
        {
          provide: InternalTokenIssuer,
          useValue: new InternalTokenIssuer(config.internalTokenKey),
        },
        AdmissionService,
        ApiKeysService,
        ApiKeysRepository,
        ForwarderService,
        KeySelfService,
        LinkTokensService,
        ResponseCacheService,
        RateLimitsService,
        QuoteQuotaService,
        RequestBodiesService,
        RequestsInFlightService,
        SwitchesVersionService,
        UpstreamsClient,
      ],
    };
  }
}
