import { tokenIdentifier, parseTokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import type { TokenPair } from '@bascule/venues';
import type { Address } from 'viem';
import type { KnownAssets } from '../../routes/known-asset.js';
import type { Conversion } from '../../routes/route.js';

/** What the venues of a chain said about its tokens. */
export interface ConversionAnswer {
  chain: string;
  /** Those that were asked about. */
  tokens: readonly TokenIdentifier[];
  conversions: readonly Conversion[];
}

export type TokensByChain = ReadonlyMap<string, readonly TokenIdentifier[]>;

/** The listed tokens; of a chain whose tokens are the same as before, the very same list. */
export function tokensByChain(assets: KnownAssets, before: TokensByChain): TokensByChain {
  const lists = new Map<string, TokenIdentifier[]>();
  for (const asset of assets.values()) {
    if (asset.kind !== 'token') continue;
    const list = lists.get(asset.chain);
    if (list) list.push(asset.id);
    else lists.set(asset.chain, [asset.id]);
  }
  return new Map(
    [...lists].map(([chain, list]) => {
      const earlier = before.get(chain);
      return [chain, earlier?.join() === list.join() ? earlier : list];
    }),
  );
}

export const addressesOf = (tokens: readonly TokenIdentifier[]): Address[] =>
  tokens.map((token) => parseTokenIdentifier(token).address);

/** Pairs convert both ways; one that several venues have counts once. */
export function conversionsOf(chain: string, pairs: readonly TokenPair[]): Conversion[] {
  const found = new Map<string, Conversion>();
  for (const pair of pairs) {
    const [a, b] = pair.map((address) => tokenIdentifier(chain, address));
    if (a === undefined || b === undefined) continue;
    found.set(`${a}>${b}`, { inputToken: a, outputToken: b });
    found.set(`${b}>${a}`, { inputToken: b, outputToken: a });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}
