import { Chains } from '@bascule/chain';
import type { KeyMode } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import type { KnownAssets } from '../routes/known-asset.js';
import type { TestParties } from '../routes/test-edges.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from './source-registry.js';

/** Chains, providers and assets of each key mode. */
@Injectable()
export class TestPartiesService implements TestParties {
  private readonly sandboxProviders: OnrampProviders;
  /** Filtered lists by their source, which lasts until the catalogue changes. */
  private readonly testAssets = new WeakMap<KnownAssets, KnownAssets>();

  constructor(
    private readonly chains: Chains,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) config: QuoteConfig,
  ) {
    const sandbox = new Set(
      config.providers.filter(({ isSandbox }) => isSandbox).map(({ name }) => name),
    );
    this.sandboxProviders = new Map([...providers].filter(([name]) => sandbox.has(name)));
  }

  readonly isTestChain = (name: string): boolean =>
    this.chains.find(name)?.definition.isTestnet === true;

  readonly isSandboxProvider = (name: string): boolean => this.sandboxProviders.has(name);

  chainsOf(mode: KeyMode | undefined): ReadonlySet<string> {
    const names = this.chains.all().map(({ name }) => name);
    return new Set(mode === 'test' ? names.filter(this.isTestChain) : names);
  }

  providersOf(mode: KeyMode | undefined): OnrampProviders {
    return mode === 'test' ? this.sandboxProviders : this.providers;
  }

  assetsOf(mode: KeyMode | undefined, assets: KnownAssets): KnownAssets {
    if (mode !== 'test') return assets;
    const known = this.testAssets.get(assets) ?? this.testAssetsIn(assets);
    this.testAssets.set(assets, known);
    return known;
  }

  private testAssetsIn(assets: KnownAssets): KnownAssets {
    return new Map(
      [...assets].filter(([, asset]) => asset.kind === 'fiat' || this.isTestChain(asset.chain)),
    );
  }
}
