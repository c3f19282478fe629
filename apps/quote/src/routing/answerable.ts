import { tokenIdentifier, type AssetIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import type { RoutingInput } from './routing-graph.js';

/**
 * What can be promised without asking anybody: no quote comes of assets without a price (the chain's own currency pays
 * for gas), nor of chains that have not said what they convert.
 */
export function answerable(
  input: RoutingInput,
  o: { priced: ReadonlySet<AssetIdentifier>; chains: ReadonlySet<string> },
): RoutingInput {
  const isPayable = (chain: string): boolean =>
    o.chains.has(chain) && o.priced.has(tokenIdentifier(chain, zeroAddress));
  return {
    ...input,
    tokens: input.tokens.filter(({ id, chain }) => isPayable(chain) && o.priced.has(id)),
    ramps: input.ramps.filter(({ fiat }) => o.priced.has(fiat)),
  };
}
