import { compareDecimals } from '@bascule/amounts';
import { parseTokenIdentifier, tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import type { OnrampCoverage, OnrampPlaces } from '@bascule/providers';
import type { BridgeRoute, TokenPair } from '@bascule/venues';
import { zeroAddress, type Address } from 'viem';
import type { KnownAssets } from '../routes/known-asset.js';
import type { BridgeLane, Conversion, Ramp } from '../routes/route.js';

const present = (...places: (OnrampPlaces | undefined)[]): OnrampPlaces[] =>
  places.flatMap((each) => each ?? []);

const acceptsAmounts = ({ min, max }: { min: string; max: string }): boolean =>
  compareDecimals(min, max) <= 0;

/** More than any provider sells: 50 fiats, by 8 methods, for 500 tokens. */
const MAX_RAMPS = 200_000;

/** True for a coverage whose combinations would take the memory of the service. */
export const isOversized = ({ fiats, tokens }: OnrampCoverage): boolean =>
  fiats.reduce((sum, { methods }) => sum + methods.length, 0) * tokens.length > MAX_RAMPS;

/** Combines every fiat, method and token that a provider sells; a method that accepts no amount sells none. */
export const rampsOf = (
  provider: string,
  { fiats, tokens, places: everywhere }: OnrampCoverage,
): Ramp[] =>
  fiats.flatMap(({ code, methods }) =>
    methods.filter(acceptsAmounts).flatMap(({ method, min, max, places: ofMethod }) =>
      tokens.map(({ token, places: ofToken }) => ({
        provider,
        method,
        fiat: code,
        token,
        limits: { min, max },
        places: present(everywhere, ofMethod, ofToken),
      })),
    ),
  );

const isTokenOf = (chain: string, identifier: TokenIdentifier): boolean => {
  const token = parseTokenIdentifier(identifier);
  return token.chain === chain && token.address !== zeroAddress;
};

/** Distinct lanes of a bridge. Wallets bridge ERC-20 tokens only, and only across chains. */
export function lanesOf(bridge: string, routes: readonly BridgeRoute[]): BridgeLane[] {
  const lanes = routes
    .filter(
      ({ origin, destination, inputToken, outputToken }) =>
        origin !== destination &&
        isTokenOf(origin, inputToken) &&
        isTokenOf(destination, outputToken),
    )
    .map(({ inputToken, outputToken }) => ({ bridge, inputToken, outputToken }));
  return [
    ...new Map(lanes.map((lane) => [`${lane.inputToken}>${lane.outputToken}`, lane])).values(),
  ];
}

/** Conversions of a chain's venues. */
export interface ConversionCoverage {
  chain: string;
  /** Tokens of the request. */
  tokens: readonly TokenIdentifier[];
  conversions: readonly Conversion[];
}

export type TokensByChain = ReadonlyMap<string, readonly TokenIdentifier[]>;

/** Groups the listed tokens by chain. A chain whose tokens did not change keeps its previous array. */
export function tokensByChain(assets: KnownAssets, previous: TokensByChain): TokensByChain {
  const lists = new Map<string, TokenIdentifier[]>();
  for (const asset of assets.values()) {
    if (asset.kind !== 'token') continue;
    const list = lists.get(asset.chain);
    if (list) list.push(asset.id);
    else lists.set(asset.chain, [asset.id]);
  }
  return new Map(
    [...lists].map(([chain, list]) => {
      const earlier = previous.get(chain);
      return [chain, earlier?.join() === list.join() ? earlier : list];
    }),
  );
}

export const addressesOf = (tokens: readonly TokenIdentifier[]): Address[] =>
  tokens.map((token) => parseTokenIdentifier(token).address);

/** Turns pairs into conversions in both directions; a pair of several venues counts once. */
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
