import { parseTokenIdentifier, isTokenIdentifier } from '@bascule/contracts';
import type { TokenAsset } from '@bascule/contracts';
import { imageUri } from './image-uri.js';
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

/** Applies the operator's overrides to the built-in lists, and completes what follows from other fields. */
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
  const wrappers = wrapperSymbols(kept);
  return [...kept, ...added].map((listed) => completed(listed, wrappers.get(listed.id)));
}

/** Adds to assets that change those whose entry shows them: a native currency names its wrapped token. */
export function withWrappedPairs(
  changed: ReadonlySet<string>,
  base: readonly ListedAsset[],
): ReadonlySet<string> {
  const pairs = base.flatMap(({ id, wraps }) => (wraps === undefined ? [] : [[id, wraps]]));
  return new Set([...changed, ...pairs.filter((ids) => ids.some((id) => changed.has(id))).flat()]);
}

/** Symbols of listed wrapped tokens, by their native currency. */
const wrapperSymbols = (assets: readonly ListedAsset[]): ReadonlyMap<string, string> =>
  new Map(
    assets.flatMap(({ wraps, asset }) => (wraps === undefined ? [] : [[wraps, asset.symbol]])),
  );

function completed({ asset, ...listed }: ListedAsset, wrapper: string | undefined): ListedAsset {
  const image_url = imageUri(asset.image_url);
  return { ...listed, asset: { ...asset, image_url, ...(wrapper !== undefined && { wrapper }) } };
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
  const { pair, name, symbol, decimals, image_url = imageUri(undefined), ...more } = changes;
  if (name === undefined || symbol === undefined || decimals === undefined) return null;
  if (!isTokenIdentifier(id)) return null;
  const { chain, address } = parseTokenIdentifier(id);
  return {
    id,
    ...(pair === undefined ? {} : { pair }),
    asset: { chain, address, name, symbol, decimals, image_url, is_native: false, ...more },
  };
}
