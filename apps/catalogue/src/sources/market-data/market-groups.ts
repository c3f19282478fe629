import type { ListedToken } from '../../assets/listed-assets.js';

/** What the market-data API calls a chain and its native currency. */
export interface MarketNames {
  platform?: string;
  nativeCoin?: string;
}

/** Assets that one call can ask for: the contracts on one platform, or coins by their ids. */
export interface MarketGroup {
  /** Undefined: coins. */
  platform?: string;
  /** The assets, by the key that the API has for each; one coin may be native to several chains. */
  assets: ReadonlyMap<string, readonly string[]>;
}

/** One group for each platform, and one for all native currencies; what the API does not know is in none. */
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

/** In parts of at most so many. */
export const inBatches = (keys: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, index) =>
    keys.slice(index * size, (index + 1) * size),
  );
