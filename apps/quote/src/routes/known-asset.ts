import type { AssetIdentifier, FiatAsset, TokenAsset, TokenIdentifier } from '@bascule/contracts';

export interface KnownFiat {
  kind: 'fiat';
  id: AssetIdentifier;
  decimals: number;
}

export interface KnownToken {
  kind: 'token';
  id: TokenIdentifier;
  decimals: number;
  chain: string;
}

/** A listed asset, as far as quoting needs it. */
export type KnownAsset = KnownFiat | KnownToken;
export type KnownAssets = ReadonlyMap<AssetIdentifier, KnownAsset>;

export function knownAsset(id: AssetIdentifier, asset: FiatAsset | TokenAsset): KnownAsset {
  const { decimals } = asset;
  return 'chain' in asset
    ? { kind: 'token', id: id as TokenIdentifier, decimals, chain: asset.chain }
    : { kind: 'fiat', id, decimals };
}
