import type { Address } from 'viem';
import {
  startLabServer,
  type LabRequest,
  type LabServer,
  type Route,
} from '../server/lab-server.js';
import { BPS, type Swap, type SwapChain, type SwapFault } from './swap-chain.js';

/** Options of every simulated aggregator. */
export interface AggregatorOptions {
  /** Any free one by default. */
  port?: number;
  chains: readonly SwapChain[];
  apiKey: string;
}

/** Swaps of a simulated aggregator, and their faults. */
export interface LabSwaps {
  fault: SwapFault;
  /** Changes the JSON of each answer with a swap. */
  alter: ((answer: unknown) => unknown) | undefined;
  /** Requests that were answered. */
  requests: number;
}

export interface AggregatorLab extends LabServer {
  swaps: LabSwaps;
}

/** Facts that an answer tells about a swap. */
export interface ToldSwap {
  target: Address;
  spender: Address;
  value: bigint;
  amountOut: bigint;
  minAmountOut: bigint;
}

/** Serves an aggregator's API. */
export async function startAggregator(
  { port = 0 }: AggregatorOptions,
  routesOf: (swaps: LabSwaps) => Route[],
): Promise<AggregatorLab> {
  const swaps: LabSwaps = { fault: {}, alter: undefined, requests: 0 };
  const routes = routesOf(swaps).map((route): Route => ({
    ...route,
    handle: (request: LabRequest) => {
      swaps.requests += 1;
      return route.handle(request);
    },
  }));
  const server = await startLabServer({ routes, port, onStop: () => undefined });
  return Object.assign(server, { swaps });
}

/** Applies the lies to what an answer tells. */
export function toldOf(
  { contract }: SwapChain,
  swap: Swap,
  { fault, isNative, slippageBps }: { fault: SwapFault; isNative: boolean; slippageBps: bigint },
): ToldSwap {
  const amountOut = (swap.amountOut * (fault.toldBps ?? BPS)) / BPS;
  return {
    target: fault.target ?? contract,
    spender: fault.spender ?? contract,
    value: fault.value ?? (isNative ? swap.amountIn : 0n),
    amountOut,
    minAmountOut: (swap.amountOut * (BPS - slippageBps)) / BPS,
  };
}
