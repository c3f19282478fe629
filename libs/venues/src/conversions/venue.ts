import type { Chain } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import type { Address } from 'viem';

/** Amounts are in the smallest unit of their token; the zero address is the chain's native currency. */
export interface ConversionRequest {
  inputToken: Address;
  outputToken: Address;
  amountIn: bigint;
}

/** The pools a conversion goes through: `tokens` has one entry more than `feeTiers`. */
export interface ConversionPath {
  tokens: Address[];
  feeTiers: number[];
}

export interface VenueQuote {
  venue: string;
  amountIn: bigint;
  amountOut: bigint;
  /** What the calls are estimated to use, without the transaction around them. */
  gas: bigint;
  path: ConversionPath;
  /**
   * What the Converter runs with exactly `amountIn` of the input token in its hands: afterwards it holds at least
   * `minOutput` of the output token, no input, and nobody has an allowance from it.
   */
  calls(o: { converter: Address; minOutput: bigint }): Call[];
}

/** Two tokens of a chain that convert into each other. */
export type TokenPair = readonly [Address, Address];

/** Somewhere tokens of one chain are converted into each other. */
export interface Venue {
  readonly name: string;
  /** Those of `tokens` that it has ways to convert into each other, each pair once; throws when the chain cannot be asked. */
  pairs(chain: Chain, tokens: readonly Address[]): Promise<TokenPair[]>;
  /** Null when it has no way to convert these tokens in this amount; throws when the chain cannot be asked. */
  quoteExactInput(chain: Chain, request: ConversionRequest): Promise<VenueQuote | null>;
}
