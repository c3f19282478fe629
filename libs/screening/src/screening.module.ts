import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ScreeningAllowances } from './persistence/screening-allowances.js';
import { ScreeningAudit } from './persistence/screening-audit.js';
import { Screening, SCREENING_SOURCES } from './screening.js';
import { SCREENING_CONFIG } from './screening-config.js';
import type { ScreeningConfig } from './screening-config.js';
import { ScreeningMetrics } from './screening-metrics.js';
import { ApiSource } from './sources/api-source.js';
import { FileSource } from './sources/file-source.js';
import { GuardedSource } from './sources/guarded-source.js';
import { OracleSource } from './sources/oracle-source.js';

/** Provides {@link Screening}. Requires DataSource, Chains and ServiceContext, and the lib's tables in the service's schema. */
@Module({})
export class ScreeningModule {
  static register(config: ScreeningConfig): DynamicModule {
    return {
      module: ScreeningModule,
      global: true,
      providers: [
        { provide: SCREENING_CONFIG, useValue: config },
        {
          provide: SCREENING_SOURCES,
          inject: [Chains, ServiceContext],
          useFactory: (chains: Chains, context: ServiceContext) =>
            createScreeningSources(config, chains, context),
        },
        ScreeningAudit,
        ScreeningAllowances,
        ScreeningMetrics,
        Screening,
      ],
      exports: [Screening],
    };
  }
}

/** Creates the configured sources, each with its time limit, circuit breaker and cache. */
export function createScreeningSources(
  config: ScreeningConfig,
  chains: Chains,
  { shutdown }: Pick<ServiceContext, 'shutdown'>,
): GuardedSource[] {
  const api = config.api && new ApiSource({ ...config.api, timeoutMs: config.timeoutMs });
  if (api) shutdown.add('database', 'screening API', () => api.close());
  return [
    ...config.oracles.map(({ chain, address }) => new OracleSource(chains.get(chain), address)),
    ...(api ? [api] : []),
    ...(config.file === undefined ? [] : [new FileSource(config.file)]),
  ].map((source) => new GuardedSource(source, config));
}
