import { parseTokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import type { BridgeRoute } from '@bascule/venues';
import { zeroAddress } from 'viem';
import type { BridgeLane } from '../../routes/route.js';

const isTokenOf = (chain: string, identifier: TokenIdentifier): boolean => {
  const token = parseTokenIdentifier(identifier);
  return token.chain === chain && token.address !== zeroAddress;
};

/** What a bridge says it carries, each way once. Wallets hand bridges ERC-20 tokens only, and across chains only. */
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
