import type { AssetScope, TokenIdentifier } from '@bascule/contracts';
import { chainOfToken } from './route.js';
import type { RoutingInput } from './routing-graph.js';

/** Tells chains and providers in a scope from others. */
export interface ScopedParties {
  isChainIn(this: void, scope: AssetScope, name: string): boolean;
  isProviderIn(this: void, scope: AssetScope, name: string): boolean;
}

/** Keeps the tokens and edges in a scope. */
export function scopedEdges(
  { isChainIn, isProviderIn }: ScopedParties,
  scope: AssetScope,
  { tokens, ramps, lanes, conversions }: RoutingInput,
): RoutingInput {
  const isIn = (...named: TokenIdentifier[]) =>
    named.every((token) => isChainIn(scope, chainOfToken(token)));
  return {
    tokens: tokens.filter(({ chain }) => isChainIn(scope, chain)),
    ramps: ramps.filter(({ provider, token }) => isProviderIn(scope, provider) && isIn(token)),
    lanes: lanes.filter(({ inputToken, outputToken }) => isIn(inputToken, outputToken)),
    conversions: conversions.filter(({ inputToken }) => isIn(inputToken)),
  };
}
