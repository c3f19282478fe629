import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { Chains } from './chains.js';
import type { ChainsConfig } from './chains-config.js';

@Module({})
export class ChainModule {
  static register(config: ChainsConfig): DynamicModule {
    return {
      module: ChainModule,
      global: true,
      providers: [{ provide: Chains, useFactory: () => new Chains(config) }],
      exports: [Chains],
    };
  }
}
