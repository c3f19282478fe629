import type { ChainDefinition } from '@bascule/chain';
import { isAddressEqual } from 'viem';
import type { Address } from 'viem';
import type { Asset } from './asset.js';
import type { FeeTerms } from './fee.js';

/** Route of one asset from one chain to another. */
export interface Route {
  /** Names of chains. */
  origin: string;
  destination: string;
  originChainId: number;
  destinationChainId: number;
  /** Same address on both chains, since an order's id covers it. */
  escrow: Address;
  /** Oracle of the origin's escrow. */
  oracle: Address;
  inputToken: Address;
  outputToken: Address;
  fee: FeeTerms;
  minAmount: bigint;
  /** Value of a whole native coin by name of its chain, where it is configured. */
  nativeValues: ReadonlyMap<string, bigint>;
}

/** Injection token of all configured routes. */
export const ROUTES = Symbol('ROUTES');

/** Lists all routes between chains that have both the asset and the same escrow. */
export function routesOf(
  assets: readonly Asset[],
  chains: readonly ChainDefinition[],
  feeBps: number,
): Route[] {
  return assets.flatMap((asset) =>
    chains.flatMap((origin) =>
      chains.flatMap((destination) => route(asset, origin, destination, feeBps) ?? []),
    ),
  );
}

function route(
  { tokens, flatFee, minAmount, nativeValues }: Asset,
  origin: ChainDefinition,
  destination: ChainDefinition,
  bps: number,
): Route | null {
  const { intentEscrow: escrow, attesterOracle: oracle } = origin.contracts;
  const [inputToken, outputToken] = [tokens.get(origin.name), tokens.get(destination.name)];
  const there = destination.contracts.intentEscrow;
  if (origin === destination || !escrow || !oracle || !there || !inputToken || !outputToken) {
    return null;
  }
  if (!isAddressEqual(escrow, there)) return null;
  return {
    origin: origin.name,
    destination: destination.name,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    escrow,
    oracle,
    inputToken,
    outputToken,
    fee: { bps, flat: flatFee },
    minAmount,
    nativeValues,
  };
}

interface Wanted {
  originChainId: number | bigint;
  destinationChainId: number | bigint;
  inputToken: Address;
  outputToken: Address;
}

export const findRoute = (routes: readonly Route[], wanted: Wanted): Route | undefined =>
  routes.find(
    (route) =>
      BigInt(route.originChainId) === BigInt(wanted.originChainId) &&
      BigInt(route.destinationChainId) === BigInt(wanted.destinationChainId) &&
      isAddressEqual(route.inputToken, wanted.inputToken) &&
      isAddressEqual(route.outputToken, wanted.outputToken),
  );
