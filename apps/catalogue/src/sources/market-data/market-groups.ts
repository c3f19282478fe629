import type { ListedToken } from '../../assets/listed-assets.js';

/** Names of a chain and its native currency in the market-data API. */
export interface MarketNames {
  platform?: string;
  nativeCoin?: string;
}

/** Assets of one call: the contracts on one platform, or coins by id. */
export interface MarketGroup {
  /** Undefined for coins. */
  platform?: string;
  /** Assets by API key; one coin may be native to several chains. */
  assets: ReadonlyMap<string, readonly string[]>;
}

/** Groups tokens by platform, and all native currencies; tokens unknown to the API are left out. */
export function marketGroups(
  tokens: readonly ListedToken[],
  namesOf: (chain: string) => MarketNames,
): MarketGroup[] {
  const platforms = new Map<string, Map<string, string[]>>();
  const coins = new Map<string, string[]>();
  for (const { id, chain, asset } of tokens) {
    const { platform, nativeCoin } = namesOf(chain);
    if (asset.is_native) {
      if (nativeCoin !== undefined) append(coins, nativeCoin, id);
      continue;
    }
    if (platform === undefined) continue;
    const contracts = platforms.get(platform) ?? new Map<string, string[]>();
    append(contracts, asset.address.toLowerCase(), id);
    platforms.set(platform, contracts);
  }
  return [
    ...[...platforms].map(([platform, assets]) => ({ platform, assets })),
    ...(coins.size > 0 ? [{ assets: coins }] : []),
  ];
}

function append(map: Map<string, string[]>, key: string, id: string): void {
  map.set(key, [...(map.get(key) ?? []), id]);
}

/** Splits keys into batches of at most `size`. */
export const inBatches = (keys: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) =>
    keys.slice(index * size, (index + 1) * size),
  );
