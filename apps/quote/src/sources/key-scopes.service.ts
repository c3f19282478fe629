import { Chains } from '@bascule/chain';
import {
  isInScope,
  keyScope,
  keyScopeHint,
  type AssetScope,
  type KeyMode,
} from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import type { KnownAssets } from '../routes/known-asset.js';
import type { ScopedParties } from '../routes/scoped-edges.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from './source-registry.js';

/** Chains, providers and assets that keys of each mode use. */
@Injectable()
export class KeyScopesService implements ScopedParties {
  private readonly configured: AssetScope;
  private readonly sandboxProviders: ReadonlySet<string>;
  /** Filtered lists by their source, which lasts until the catalogue changes. */
  private readonly scopedAssets = new WeakMap<KnownAssets, Map<AssetScope, KnownAssets>>();

  constructor(
    private readonly chains: Chains,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) config: QuoteConfig,
  ) {
    this.configured = config.assetScope;
    this.sandboxProviders = new Set(
      config.providers.filter(({ isSandbox }) => isSandbox).map(({ name }) => name),
    );
  }

  readonly isChainIn = (scope: AssetScope, name: string): boolean => {
    const chain = this.chains.find(name);
    return chain !== undefined && isInScope(scope, chain.definition.isTestnet);
  };

  readonly isProviderIn = (scope: AssetScope, name: string): boolean =>
    isInScope(scope, this.sandboxProviders.has(name));

  /** Text for messages about what a key does not know. */
  hintOf(mode: KeyMode | undefined): string {
    return keyScopeHint(mode, this.configured);
  }

  chainsOf(mode: KeyMode | undefined): ReadonlySet<string> {
    const scope = keyScope(mode, this.configured);
    const names = this.chains.all().map(({ name }) => name);
    return new Set(names.filter((name) => this.isChainIn(scope, name)));
  }

  providersOf(mode: KeyMode | undefined): OnrampProviders {
    const scope = keyScope(mode, this.configured);
    return new Map([...this.providers].filter(([name]) => this.isProviderIn(scope, name)));
  }

  /** Assets of the catalogue that a key knows; fiat currencies belong to every scope. */
  assetsOf(mode: KeyMode | undefined, assets: KnownAssets): KnownAssets {
    const scope = keyScope(mode, this.configured);
    if (scope === 'all') return assets;
    const byScope = this.scopedAssets.get(assets) ?? new Map<AssetScope, KnownAssets>();
    this.scopedAssets.set(assets, byScope);
    const known = byScope.get(scope) ?? this.assetsIn(scope, assets);
    byScope.set(scope, known);
    return known;
  }

  private assetsIn(scope: AssetScope, assets: KnownAssets): KnownAssets {
    return new Map(
      [...assets].filter(
        ([, asset]) => asset.kind === 'fiat' || this.isChainIn(scope, asset.chain),
      ),
    );
  }
}
