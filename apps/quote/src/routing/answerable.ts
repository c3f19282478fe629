import { tokenIdentifier, type AssetIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import type { Route } from '../routes/route.js';
import type { RoutingInput } from '../routes/routing-graph.js';

export interface Answering {
  priced: ReadonlySet<AssetIdentifier>;
  /** That say what they convert. */
  chains: ReadonlySet<string>;
  /** That say what they carry. */
  bridges: ReadonlySet<string>;
}

/** Whether a route is one of an answerable graph. */
export const isAnswerable = (
  { ramp, legs }: Route,
  { priced, chains, bridges }: Answering,
): boolean =>
  (ramp === null || priced.has(ramp.fiat)) &&
  legs.every(
    ({ chain, inputToken, outputToken, lane }) =>
      chains.has(chain) &&
      (lane === null || bridges.has(lane.bridge)) &&
      [inputToken, outputToken, tokenIdentifier(chain, zeroAddress)].every((each) =>
        priced.has(each),
      ),
  );

/**
 * What can be promised without asking anybody: no quote comes of assets without a price (the chain's own currency pays
 * for gas), nor of chains and bridges that do not say what they convert and carry.
 */
export function answerable(input: RoutingInput, o: Answering): RoutingInput {
  const isPayable = (chain: string): boolean =>
    o.chains.has(chain) && o.priced.has(tokenIdentifier(chain, zeroAddress));
  return {
    ...input,
    tokens: input.tokens.filter(({ id, chain }) => isPayable(chain) && o.priced.has(id)),
    ramps: input.ramps.filter(({ fiat }) => o.priced.has(fiat)),
    lanes: input.lanes.filter(({ bridge }) => o.bridges.has(bridge)),
  };
}
