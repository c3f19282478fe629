import { parseTokenIdentifier, isTokenIdentifier } from '@bascule/contracts';
import type { TokenAsset } from '@bascule/contracts';
import type { ListedAsset } from './listed-assets.js';

/** What an operator may say of an asset; `decimals`, which the contract said, only of one that the lists do not have. */
export interface AssetChanges {
  name?: string;
  symbol?: string;
  decimals?: number;
  image_url?: string;
  alias?: string;
  coingecko_id?: string;
  /** The price feed it is priced by, e.g. `eth/usd`. */
  pair?: string;
}

export interface AssetOverride {
  id: string;
  hidden: boolean;
  changes: AssetChanges;
}

/** What is listed when the operator is heard, too. */
export function withOverrides(
  base: readonly ListedAsset[],
  overrides: readonly AssetOverride[],
  isListedChain: (name: string) => boolean,
): ListedAsset[] {
  const said = new Map(overrides.map((override) => [override.id, override]));
  const known = new Set(base.map(({ id }) => id));
  const kept = base.flatMap((listed) => {
    const override = said.get(listed.id);
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
  { pair, decimals: _contracts, ...shown }: AssetChanges,
): ListedAsset {
  const asset = { ...listed.asset, ...shown };
  return { ...listed, ...(pair === undefined ? {} : { pair }), asset };
}

/** Null for what says too little to be listed: an override that was taken back. */
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
