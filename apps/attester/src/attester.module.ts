import { ChainModule } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { accountOf, openSigner } from '@bascule/signers';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AttestationService, ATTESTER } from './attestations/attestation.service.js';
import { AttestationsController } from './attestations/attestations.controller.js';
import { FinalBlocksClient } from './attestations/final-blocks.client.js';
import { ClientBudgets } from './limits/client-budgets.js';
import { TRUSTED_HOPS } from './config/attester.config.js';
import type { AttesterConfig } from './config/attester.config.js';
import { AttestationMetricsService } from './attestations/attestation-metrics.service.js';

@Module({})
export class AttesterModule {
  static register(config: AttesterConfig): DynamicModule {
    return {
      module: AttesterModule,
      imports: [ChainModule.register(config.chains)],
      controllers: [AttestationsController],
      providers: [
        {
          provide: ATTESTER,
          inject: [ServiceContext],
          useFactory: async (context: ServiceContext) =>
            accountOf(await openSigner(config.signer, { context, config })),
        },
        { provide: TRUSTED_HOPS, useValue: config.trustedHops },
        { provide: ClientBudgets, useFactory: () => new ClientBudgets(config.clientUnits) },
        AttestationMetricsService,
        FinalBlocksClient,
        AttestationService,
      ],
    };
  }
}
