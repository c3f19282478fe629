import type { Address, Hex } from 'viem';

/** Terms of a swap without its amount; the zero address is the chain's native currency. */
export interface SwapTerms {
  chainId: number;
  inputToken: Address;
  outputToken: Address;
  /** Converter, which pays the input, makes the call and receives the output. */
  taker: Address;
}

/** Amounts are in the smallest unit of their token. */
export interface SwapRequest extends SwapTerms {
  amountIn: bigint;
}

/** Swap of which the output is given. */
export interface OutputSwapRequest extends SwapTerms {
  amountOut: bigint;
}

/** Call of a swap as the aggregator tells it; nothing of it is trusted. */
export interface ToldSwap {
  target: Address;
  /** Contracts that the aggregator wants an allowance for; none where it names none. */
  spenders: readonly Address[];
  /** Native currency of the call. */
  value: bigint;
  data: Hex;
  amountIn: bigint;
  amountOut: bigint;
  gas?: bigint | undefined;
}

/**
 * API that finds a route through many exchanges of one chain and answers with a call of its own contract. Null is a
 * refusal: it has no route for this amount. Any failure throws.
 */
export interface Aggregator {
  readonly adapter: string;
  swap(request: SwapRequest): Promise<ToldSwap | null>;
  /** Absent where the API has no exact output. */
  swapForOutput?(request: OutputSwapRequest): Promise<ToldSwap | null>;
  /** Lists the tokens of a chain; absent where the API has no list. */
  tokens?(chainId: number): Promise<Address[]>;
}

/** Slippage that aggregators are asked for: with it, their own minimum is never above that of the calls. */
export const ASKED_SLIPPAGE_BPS = 100n;

/** The answer names another swap than the one that was asked for. */
export class AggregatorMismatchError extends Error {
  override readonly name = 'AggregatorMismatchError';

  constructor(aggregator: string, field: string) {
    super(`${aggregator} answered with another ${field} than asked for`);
  }
}
