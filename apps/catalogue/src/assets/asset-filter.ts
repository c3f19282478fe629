import { isInScope } from '@bascule/contracts';
import type { AssetsResponse, FiatAsset, RequestScope, TokenAsset } from '@bascule/contracts';

/** Filters assets by scope and by id. Fiat currencies belong to every scope. */
export function filterAssets(
  assets: readonly { id: string; asset: FiatAsset | TokenAsset }[],
  o: { scope: RequestScope; isTestnet: (chain: string) => boolean; only?: readonly string[] },
): AssetsResponse {
  const only = o.only && new Set(o.only.map((id) => id.toLowerCase()));
  return Object.fromEntries(
    assets
      .filter(({ id }) => only?.has(id) ?? true)
      .filter(({ asset }) => !('chain' in asset) || isInScope(o.scope, o.isTestnet(asset.chain)))
      .map(({ id, asset }) => [id, asset]),
  );
}
