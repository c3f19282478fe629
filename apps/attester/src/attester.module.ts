import { ChainModule } from '@bascule/chain';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { privateKeyToAccount } from 'viem/accounts';
import { AttestationService, ATTESTER } from './attestations/attestation.service.js';
import { AttestationsController } from './attestations/attestations.controller.js';
import { FinalBlocksClient } from './attestations/final-blocks.client.js';
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
        { provide: ATTESTER, useFactory: () => privateKeyToAccount(config.privateKey) },
        AttestationMetricsService,
        FinalBlocksClient,
        AttestationService,
      ],
    };
  }
}
