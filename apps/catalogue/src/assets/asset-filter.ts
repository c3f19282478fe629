import type { AssetsResponse, FiatAsset, TokenAsset } from '@bascule/contracts';

/** Which chains' assets a caller gets: `sandbox` only test and development ones, `live` only the others. */
export type AssetScope = 'all' | 'sandbox' | 'live';

export const scopeOf = (sandbox: boolean | undefined, configured: AssetScope): AssetScope =>
  sandbox === undefined ? configured : sandbox ? 'sandbox' : 'live';

/** Whether a chain is shown in a scope. */
export const inScope = (scope: AssetScope, isTestnet: boolean): boolean =>
  scope === 'all' || isTestnet === (scope === 'sandbox');

/** Fiat currencies belong to every scope: sandbox payments are paid in them, too. */
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
