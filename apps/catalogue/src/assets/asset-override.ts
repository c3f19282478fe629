import { parseTokenIdentifier, isTokenIdentifier } from '@bascule/contracts';
import type { TokenAsset } from '@bascule/contracts';
import type { ListedAsset } from './listed-assets.js';

/** Fields that an operator can override. `decimals` comes from the contract and applies to added tokens only. */
export interface AssetChanges {
  name?: string;
  symbol?: string;
  decimals?: number;
  image_url?: string;
  alias?: string;
  coingecko_id?: string;
  /** Price feed, for example `eth/usd`. */
  pair?: string;
}

export interface AssetOverride {
  id: string;
  hidden: boolean;
  changes: AssetChanges;
}

/** Applies the operator's overrides to the built-in lists. */
export function withOverrides(
  base: readonly ListedAsset[],
  overrides: readonly AssetOverride[],
  isListedChain: (name: string) => boolean,
): ListedAsset[] {
  const overrideOf = new Map(overrides.map((override) => [override.id, override]));
  const known = new Set(base.map(({ id }) => id));
  const kept = base.flatMap((listed) => {
    const override = overrideOf.get(listed.id);
    if (override?.hidden) return [];
    return override ? [changed(listed, override.changes)] : [listed];
  });
  const added = overrides
    .filter(({ id, hidden }) => !hidden && !known.has(id))
    .map(addedToken)
    .filter((listed) => listed !== null)
    .filter(({ asset }) => isListedChain(asset.chain));
  return [...kept, ...added];
}

function changed(
  listed: ListedAsset,
  { pair, decimals: _decimals, ...shown }: AssetChanges,
): ListedAsset {
  const asset = { ...listed.asset, ...shown };
  return { ...listed, ...(pair === undefined ? {} : { pair }), asset };
}

/** Returns null for an override that is not a complete token, such as one that was reset. */
function addedToken({ id, changes }: AssetOverride): (ListedAsset & { asset: TokenAsset }) | null {
  const { pair, name, symbol, decimals, image_url = '', ...more } = changes;
  if (name === undefined || symbol === undefined || decimals === undefined) return null;
  if (!isTokenIdentifier(id)) return null;
  const { chain, address } = parseTokenIdentifier(id);
  return {
    id,
    ...(pair === undefined ? {} : { pair }),
    asset: { chain, address, name, symbol, decimals, image_url, is_native: false, ...more },
  };
}
