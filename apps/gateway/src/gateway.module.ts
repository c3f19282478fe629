import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { InternalTokenIssuer } from '@bascule/http';
import { PersistenceModule } from '@bascule/persistence';
import { Admission } from './access/admission.service.js';
import { ApiKeys } from './access/api-keys.service.js';
import { FundingTokens } from './access/funding-tokens.service.js';
import { Forwarder } from './forwarding/forwarder.service.js';
import { KeptAnswers } from './forwarding/kept-answers.service.js';
import { RequestsInFlight } from './forwarding/requests-in-flight.service.js';
import { Upstreams } from './forwarding/upstreams.client.js';
import { GATEWAY_CONFIG } from './gateway.config.js';
import type { GatewayConfig } from './gateway.config.js';
import { RateLimits } from './limits/rate-limits.service.js';
import { ApiKeysRepository } from './persistence/api-keys.repository.js';
import { entities, migrations } from './persistence/persistence.config.js';

@Module({})
export class GatewayModule {
  static register(config: GatewayConfig): DynamicModule {
    return {
      module: GatewayModule,
      imports: [PersistenceModule.register({ database: config.database, entities, migrations })],
      providers: [
        { provide: GATEWAY_CONFIG, useValue: config },
        {
          provide: InternalTokenIssuer,
          useValue: new InternalTokenIssuer(config.internalTokenKey),
        },
        Admission,
        ApiKeys,
        ApiKeysRepository,
        Forwarder,
        FundingTokens,
        KeptAnswers,
        RateLimits,
        RequestsInFlight,
        Upstreams,
      ],
    };
  }
}
