import type { AssetsResponse, FiatAsset, TokenAsset } from '@bascule/contracts';

/** Chains whose assets a caller gets: `sandbox` test and development chains, `live` the others. */
export type AssetScope = 'all' | 'sandbox' | 'live';

export const scopeOf = (sandbox: boolean | undefined, configured: AssetScope): AssetScope =>
  sandbox === undefined ? configured : sandbox ? 'sandbox' : 'live';

/** Whether a scope includes a chain. */
export const inScope = (scope: AssetScope, isTestnet: boolean): boolean =>
  scope === 'all' || isTestnet === (scope === 'sandbox');

/** Filters assets by scope and by id. Fiat currencies belong to every scope. */
export function filterAssets(
  assets: readonly { id: string; asset: FiatAsset | TokenAsset }[],
  o: { scope: AssetScope; isTestnet: (chain: string) => boolean; only?: readonly string[] },
): AssetsResponse {
  const only = o.only && new Set(o.only.map((id) => id.toLowerCase()));
  return Object.fromEntries(
    assets
      .filter(({ id }) => only?.has(id) ?? true)
      .filter(({ asset }) => !('chain' in asset) || inScope(o.scope, o.isTestnet(asset.chain)))
      .map(({ id, asset }) => [id, asset]),
  );
}
