import type { ChainView } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { concat, keccak256, size, type Address } from 'viem';
import { isSameAsset } from '../erc20-of.js';
import type {
  ConversionRequest,
  ConvertedTokens,
  ExactOutputQuote,
  ExactOutputRequest,
  LimitedRequest,
  TokenPair,
  Venue,
  VenueQuote,
} from '../venue.js';
import type { Aggregator, SwapTerms, ToldSwap } from './aggregator.js';
import { checkedSwap, type CheckedSwap } from './checked-swap.js';
import { searchInput } from './input-search.js';
import { ListedTokens } from './listed-tokens.js';
import { SharedAnswers } from './shared-answers.js';
import { aggregatorCalls } from './swap-calls.js';
import { simulateSwap, type SwapOutcome } from './swap-simulation.js';

/** Measures the requests to an aggregator. */
export type ObserveRequest = <T>(
  name: string,
  question: 'quote' | 'coverage',
  ask: () => Promise<T>,
) => Promise<T>;

interface AggregatorVenueOptions {
  name: string;
  timeoutMs: number;
  observe?: ObserveRequest | undefined;
}

/** A simulated swap. */
interface ProvenSwap extends SwapOutcome {
  swap: CheckedSwap;
  gas: bigint;
}

/** Time for which the nodes of one question judge the same answer. */
const KEPT_MS = 1_500;
/** An output below what was told by more is no quote. */
const TOLERATED_SHORTFALL_BPS = 50n;
const BPS = 10_000n;
/**
 * Data of a call on a chain that charges for data beside gas. A leg that was quoted for another venue, of a bit over four
 * thousand bytes, then has at most half as many more, far from the multiple that makes it too expensive.
 */
const CHARGED_DATA_BYTES = 3 * 1024;
/** Told gas counts within these bounds, where the node measures none. */
const GAS = { min: 100_000n, max: 5_000_000n };

/** Converts through an aggregator; only a simulation at the asked node tells the output. */
export class AggregatorVenue implements Venue {
  readonly name: string;
  private readonly answers = new SharedAnswers<CheckedSwap | null>(KEPT_MS);
  private readonly listed: ListedTokens | undefined;

  constructor(
    private readonly aggregator: Aggregator,
    private readonly options: AggregatorVenueOptions,
  ) {
    this.name = options.name;
    const tokens = aggregator.tokens?.bind(aggregator);
    const fetchTokens =
      tokens && ((chainId: number) => this.observed('coverage', () => tokens(chainId)));
    this.listed = fetchTokens && new ListedTokens(fetchTokens, options.timeoutMs);
  }

  mayConvert(chain: Pick<ChainView, 'definition'>, tokens: ConvertedTokens): boolean {
    return this.contractOn(chain) !== undefined && !isSameAsset(chain.definition.contracts, tokens);
  }

  /** Empty for an aggregator without a list: it improves only pairs that other venues have. */
  async pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    if (this.listed === undefined || this.contractOn(chain) === undefined) return [];
    const listed = await this.listed.of(chain.chainId);
    const known = tokens.filter((token) => listed.has(token.toLowerCase()));
    return known.flatMap((inputToken, index) =>
      known
        .slice(index + 1)
        .flatMap((outputToken): TokenPair[] =>
          this.mayConvert(chain, { inputToken, outputToken }) ? [[inputToken, outputToken]] : [],
        ),
    );
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const proven = await withTimeout(this.options.timeoutMs, async () => {
      const asked = await this.askForInput(chain, request, request.amountIn);
      return asked && this.prove(chain, asked);
    });
    if (!proven) return null;
    const { swap, amountOut, gas } = proven;
    return {
      venue: this.name,
      amountIn: request.amountIn,
      amountOut,
      gas,
      route: keccak256(concat([swap.target, swap.data])),
      calls: (o) => aggregatorCalls(swap, o),
    };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const { amountOut } = request;
    const found = await withTimeout(this.options.timeoutMs, () =>
      this.aggregator.swapForOutput
        ? this.proveForOutput(chain, request)
        : this.search(chain, request),
    );
    if (!found || found.amountOut < amountOut) return null;
    return { venue: this.name, amountIn: found.swap.amountIn, gas: found.gas };
  }

  private async proveForOutput(
    chain: ChainView,
    { amountOut, ...tokens }: ExactOutputRequest,
  ): Promise<ProvenSwap | null> {
    const swap = await this.ask(chain, tokens, ['output', amountOut], async (terms) =>
      this.aggregator.swapForOutput ? this.aggregator.swapForOutput({ ...terms, amountOut }) : null,
    );
    return swap && this.prove(chain, swap);
  }

  private search(
    chain: ChainView,
    { inputToken, outputToken, amountOut, budget }: ExactOutputRequest,
  ): Promise<ProvenSwap | null> {
    return searchInput(amountOut, {
      backwards: async () => {
        const back = { inputToken: outputToken, outputToken: inputToken, budget };
        return (await this.askForInput(chain, back, amountOut))?.told.amountOut ?? null;
      },
      forwards: async (amountIn) => {
        const swap = await this.askForInput(chain, { inputToken, outputToken, budget }, amountIn);
        if (swap === null) return null;
        return { amountOut: swap.told.amountOut, proof: () => this.prove(chain, swap) };
      },
    });
  }

  private askForInput(
    chain: ChainView,
    tokens: ConvertedTokens & LimitedRequest,
    amountIn: bigint,
  ): Promise<CheckedSwap | null> {
    return this.ask(chain, tokens, ['input', amountIn], (terms) =>
      this.aggregator.swap({ ...terms, amountIn }),
    );
  }

  /** Null for a refusal, and for what is no conversion. */
  private async ask(
    chain: ChainView,
    { inputToken, outputToken, budget }: ConvertedTokens & LimitedRequest,
    [kind, amount]: readonly ['input' | 'output', bigint],
    question: (terms: SwapTerms) => Promise<ToldSwap | null>,
  ): Promise<CheckedSwap | null> {
    const tokens = { inputToken, outputToken };
    if (amount <= 0n || !this.mayConvert(chain, tokens)) return null;
    const { chainId, definition } = chain;
    const terms = { chainId, ...tokens, taker: definition.contracts.converter };
    const swap = await this.answers.get(
      [chainId, inputToken, outputToken, kind, amount].join(),
      () => {
        budget?.spend(this.name);
        return this.observed('quote', async () => {
          const told = await question(terms);
          const input = kind === 'input' ? amount : undefined;
          const allowed = { contract: this.contractOn(chain), ...tokens, input };
          return told && checkedSwap(this.name, allowed, told);
        });
      },
    );
    const isTooLong = definition.dataFeeOracle && swap && size(swap.data) > CHARGED_DATA_BYTES;
    return isTooLong ? null : swap;
  }

  /** Null where the swap reverts at this node, or yields too much less than was told. */
  private async prove(chain: ChainView, swap: CheckedSwap): Promise<ProvenSwap | null> {
    const outcome = await simulateSwap(chain, swap);
    if (outcome === null) return null;
    const { amountOut, gas } = outcome;
    const least = (swap.told.amountOut * (BPS - TOLERATED_SHORTFALL_BPS)) / BPS;
    if (amountOut < least || amountOut === 0n) return null;
    return { swap, amountOut, gas: gas ?? boundedGas(swap.told.gas) };
  }

  private contractOn({ definition }: Pick<ChainView, 'definition'>): Address | undefined {
    return definition.contracts.aggregators?.[this.aggregator.adapter];
  }

  private observed<T>(question: 'quote' | 'coverage', ask: () => Promise<T>): Promise<T> {
    const { observe } = this.options;
    return observe ? observe(this.name, question, ask) : ask();
  }
}

function boundedGas(gas: bigint | undefined): bigint {
  if (gas === undefined || gas > GAS.max) return GAS.max;
  return gas < GAS.min ? GAS.min : gas;
}
