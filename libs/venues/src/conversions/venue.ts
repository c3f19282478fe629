import type { ChainView } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import type { Address } from 'viem';

/** Two tokens; the zero address is the chain's native currency. */
export interface ConvertedTokens {
  inputToken: Address;
  outputToken: Address;
}

/** Value of an amount of gas in a token, in its smallest unit; 0 where prices are unknown. */
export type GasValue = (gas: bigint) => bigint;

/** Requests to parties' APIs that one question of a customer may cause. */
export interface RequestBudget {
  /** Counts a request before it is made. @throws where the party has had all of its requests */
  spend(party: string): void;
}

/** Limit of what a question may cost at parties. */
export interface LimitedRequest {
  /** Without it, every question may be asked. */
  budget?: RequestBudget | undefined;
}

/** Millionths by which a venue's conversions fell short of its quotes; 0 for an honest or an unknown one. */
export type ShortfallOf = (venue: string) => bigint;

/** Facts by which quotes are compared. They change no quoted amount. */
export interface QuoteComparison {
  /** In the token whose amount is compared. Without it, gas costs nothing. */
  gasValue?: GasValue | undefined;
  /** Without it, every venue pays what it quotes. */
  shortfallOf?: ShortfallOf | undefined;
}

/** Amounts are in the smallest unit of their token. The best quote leaves most after its gas and its venue's shortfall. */
export interface ConversionRequest extends ConvertedTokens, QuoteComparison, LimitedRequest {
  amountIn: bigint;
  /** Output that is acceptable: a quote that reaches it is better than any that does not. */
  minOutput?: bigint | undefined;
}

/** Conversion of which the output is given; amounts as in {@link ConversionRequest}. The best quote takes least. */
export interface ExactOutputRequest extends ConvertedTokens, QuoteComparison, LimitedRequest {
  amountOut: bigint;
}

/** Least input for an output; only a quote of that input has calls. */
export interface ExactOutputQuote {
  venue: string;
  amountIn: bigint;
  /** As in {@link VenueQuote}. */
  gas: bigint;
}

export interface VenueQuote {
  venue: string;
  amountIn: bigint;
  amountOut: bigint;
  /** Estimated gas of the calls, without the transaction around them. */
  gas: bigint;
  /** Names the pools of the conversion at its venue: two nodes vouch for an output only by the same route. */
  route: string;
  /**
   * Builds the calls of a Converter that holds exactly `amountIn` of the input token. Afterwards it holds at least
   * `minOutput` of the output token, no input, and grants no allowance.
   */
  calls(o: { converter: Address; minOutput: bigint }): Call[];
}

/** Two convertible tokens of a chain. */
export type TokenPair = readonly [Address, Address];

/** Venue that converts tokens of one chain. */
export interface Venue {
  readonly name: string;
  /** Whether the chain's definition allows a conversion of these tokens here; asks no node. */
  mayConvert(chain: Pick<ChainView, 'definition'>, tokens: ConvertedTokens): boolean;
  /** Lists the convertible pairs among `tokens`, each once; throws when the chain cannot be read. */
  pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]>;
  /** Quotes a conversion; null without a path for this amount; throws when the chain cannot be read. */
  quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null>;
  /** Quotes the least input for an output; null without a path for this amount; throws like `quoteExactInput`. */
  quoteExactOutput(chain: ChainView, request: ExactOutputRequest): Promise<ExactOutputQuote | null>;
}
