import type { Chain, FiatAsset, TokenAsset } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { ListedAsset, ListedToken } from '../assets/listed-assets.js';

/** Listed chains and assets, sorted by id. */
export interface ListingState {
  /** Changes with every change of the listing; equal on all replicas. */
  revision: string;
  chains: readonly { id: string; chain: Chain }[];
  assets: readonly ListedAsset[];
}

const isToken = (asset: FiatAsset | TokenAsset): asset is TokenAsset => 'chain' in asset;

/** In-memory copy of the listing, so that frequent requests need no query. */
@Injectable()
export class ListingSnapshotService {
  private state: ListingState = { revision: '', chains: [], assets: [] };
  private ids: ReadonlySet<string> = new Set();
  private listedTokens: readonly ListedToken[] = [];
  private readonly listeners: (() => void)[] = [];

  replace(state: ListingState): void {
    this.state = state;
    this.ids = new Set(state.assets.map(({ id }) => id));
    this.listedTokens = state.assets.flatMap(({ asset, ...listed }) =>
      isToken(asset) ? [{ ...listed, asset, chain: asset.chain }] : [],
    );
    for (const listener of this.listeners) listener();
  }

  /** Registers a listener that runs after each change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  get revision(): string {
    return this.state.revision;
  }

  chains(): ListingState['chains'] {
    return this.state.chains;
  }

  assets(): readonly ListedAsset[] {
    return this.state.assets;
  }

  /** Returns all listed tokens, native currencies included. */
  tokens(): readonly ListedToken[] {
    return this.listedTokens;
  }

  fiats(): readonly ListedAsset[] {
    return this.state.assets.filter(({ asset }) => !isToken(asset));
  }

  /** @param id lower case */
  has(id: string): boolean {
    return this.ids.has(id);
  }
}
