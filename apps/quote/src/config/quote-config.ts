import type { ChainsConfig } from '@bascule/chain';
import type { GeolocationConfig } from '@bascule/geolocation';
import type { HttpConfig } from '@bascule/service-host';
import type { EventConfig, KafkaConfig } from '@bascule/messaging';
import type { DatabaseConfig } from '@bascule/persistence';
import type { ProvidersConfig } from '@bascule/providers';
import type { SealingKey } from '@bascule/sealed-tokens';
import type { BridgesConfig } from '@bascule/venues';
import type { Address } from 'viem';
import type { EdgeRule } from '../routes/edge-rules.js';

/** Chains whose tokens discovery shows when a request has no `sandbox`: all, test chains only, live chains only. */
export const ASSET_SCOPES = ['all', 'sandbox', 'live'] as const;
export type AssetScope = (typeof ASSET_SCOPES)[number];

export interface QuoteConfig extends HttpConfig, EventConfig, GeolocationConfig {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  readonly kafka: KafkaConfig | undefined;
  readonly providers: ProvidersConfig;
  readonly bridges: BridgesConfig;
  readonly sealingKeys: readonly SealingKey[];
  readonly feeReceiver: Address;
  readonly validityMs: number;
  readonly slippageBps: number;
  readonly unsafeSlippageBps: number;
  readonly maxPriceImpactBps: number;
  readonly surplusBps: number;
  readonly priceMaxAgeMs: number;
  readonly providerTimeoutMs: number;
  readonly chainTimeoutMs: number;
  readonly coverageTtlMs: number;
  readonly conversionsTtlMs: number;
  readonly edgeRules: readonly EdgeRule[];
  readonly assetScope: AssetScope;
}

export const QUOTE_CONFIG = Symbol('QUOTE_CONFIG');
