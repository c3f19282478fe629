import type { TokenIdentifier } from '@bascule/contracts';
import { chainOfToken } from './route.js';
import type { RoutingInput } from './routing-graph.js';

/** Chains and providers that take no real money. */
export interface TestParties {
  isTestChain(this: void, name: string): boolean;
  isSandboxProvider(this: void, name: string): boolean;
}

/** Keeps the tokens and edges that a test key may use. */
export function testEdges(
  { isTestChain, isSandboxProvider }: TestParties,
  { tokens, ramps, lanes, conversions }: RoutingInput,
): RoutingInput {
  const isTest = (...named: TokenIdentifier[]) =>
    named.every((token) => isTestChain(chainOfToken(token)));
  return {
    tokens: tokens.filter(({ chain }) => isTestChain(chain)),
    ramps: ramps.filter(({ provider, token }) => isSandboxProvider(provider) && isTest(token)),
    lanes: lanes.filter(({ inputToken, outputToken }) => isTest(inputToken, outputToken)),
    conversions: conversions.filter(({ inputToken }) => isTest(inputToken)),
  };
}
