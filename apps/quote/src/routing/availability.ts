import { tokenIdentifier, type AssetIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import type { Route } from '../routes/route.js';
import type { RoutingInput } from '../routes/routing-graph.js';

/** Assets with a fresh price, and chains and bridges that answered lately. */
export interface Availability {
  pricedAssets: ReadonlySet<AssetIdentifier>;
  chains: ReadonlySet<string>;
  bridges: ReadonlySet<string>;
}

/** Whether a route lies in the graph of `quotableInput`. */
export const isQuotable = (
  { ramp, legs }: Route,
  { pricedAssets, chains, bridges }: Availability,
): boolean =>
  (ramp === null || pricedAssets.has(ramp.fiat)) &&
  legs.every(
    ({ chain, inputToken, outputToken, lane }) =>
      chains.has(chain) &&
      (lane === null || bridges.has(lane.bridge)) &&
      [inputToken, outputToken, tokenIdentifier(chain, zeroAddress)].every((each) =>
        pricedAssets.has(each),
      ),
  );

/**
 * Drops edges that no quote can use at any amount: unpriced assets, chains whose native currency has no price (gas),
 * unavailable chains and bridges.
 */
export function quotableInput(input: RoutingInput, available: Availability): RoutingInput {
  const { pricedAssets, chains, bridges } = available;
  const canPayGas = (chain: string): boolean =>
    chains.has(chain) && pricedAssets.has(tokenIdentifier(chain, zeroAddress));
  return {
    ...input,
    tokens: input.tokens.filter(({ id, chain }) => canPayGas(chain) && pricedAssets.has(id)),
    ramps: input.ramps.filter(({ fiat }) => pricedAssets.has(fiat)),
    lanes: input.lanes.filter(({ bridge }) => bridges.has(bridge)),
  };
}
