import type { Address, Hex } from 'viem';

/** Chain on which an aggregator swaps through Uniswap V3. */
export interface SwapChain {
  rpcUrl: string;
  chainId: number;
  quoterV2: Address;
  swapRouter02: Address;
  wrappedNative: Address;
  /** Tokens between the sold and the bought one, besides wrapped native currency. */
  intermediateTokens: readonly Address[];
  feeTiers: readonly number[];
  /** The aggregator's own contract, which takes the input. */
  contract: Address;
}

export interface Swap {
  /** The zero address is native currency. */
  inputToken: Address;
  outputToken: Address;
  amountIn: bigint;
  amountOut: bigint;
  /** Path of the pools, as Uniswap encodes it. */
  path: Hex;
}

/** Lies of an aggregator about its swaps. */
export interface SwapFault {
  /** Told and called instead of the aggregator's contract. */
  target?: Address;
  /** Told as the one that needs an allowance. */
  spender?: Address;
  /** Receives the output in place of the taker. */
  recipient?: Address;
  /** Share of the input that the call takes, in basis points: above ten thousand, more than was granted. */
  takeBps?: bigint;
  /** Share of the output that is told, in basis points. */
  toldBps?: bigint;
  /** Native currency that the call is told to carry. */
  value?: bigint;
  /** Call that the aggregator's contract makes before those of the swap. */
  first?: { target: Address; data: Hex };
  /** Data that is told instead of the swap's. */
  data?: Hex;
}

export const BPS = 10_000n;
