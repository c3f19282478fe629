import type { AssetIdentifier, FiatAsset, TokenAsset, TokenIdentifier } from '@bascule/contracts';

export interface KnownFiat {
  kind: 'fiat';
  id: AssetIdentifier;
  symbol: string;
  decimals: number;
}

export interface KnownToken {
  kind: 'token';
  id: TokenIdentifier;
  symbol: string;
  decimals: number;
  chain: string;
}

/** Listed asset, reduced to the fields that quoting needs. */
export type KnownAsset = KnownFiat | KnownToken;
export type KnownAssets = ReadonlyMap<AssetIdentifier, KnownAsset>;

export function toKnownAsset(id: AssetIdentifier, asset: FiatAsset | TokenAsset): KnownAsset {
  const { symbol, decimals } = asset;
  return 'chain' in asset
    ? { kind: 'token', id: id as TokenIdentifier, symbol, decimals, chain: asset.chain }
    : { kind: 'fiat', id, symbol, decimals };
}
