import type { ChainView } from '@bascule/chain';
import { encodeFunctionData, type Address } from 'viem';
import { aggregatedCalls } from '../aggregated-calls.js';
import { erc20Of, isNative, isSameAsset } from '../erc20-of.js';
import {
  bestOutput,
  candidatePaths,
  convertiblePairs,
  leastInput,
  type PathQuote,
} from '../pool-paths.js';
import type {
  ConversionRequest,
  ConvertedTokens,
  ExactOutputQuote,
  ExactOutputRequest,
  TokenPair,
  Venue,
  VenueQuote,
} from '../venue.js';
import { quoterV2Abi } from './abi.js';
import { liquidPairs } from './liquid-pairs.js';
import { decodePathQuote, type QuoterFunction } from './path-quote.js';
import { encodePath, reversed, type ConversionPath } from './paths.js';
import { swapCalls } from './swap-calls.js';

/** Gas of approvals, router and payments, without the pools' part from the quoter; measured, rounded up. */
const ROUTER_GAS = 40_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 10_000n;

/** Uniswap V3: quotes all fee tiers and one intermediate token in one call and takes the best. */
export class UniswapV3Venue implements Venue {
  readonly name = 'uniswap_v3';

  mayConvert(
    { definition: { contracts } }: Pick<ChainView, 'definition'>,
    tokens: ConvertedTokens,
  ): boolean {
    return contracts.uniswapV3 !== undefined && !isSameAsset(contracts, tokens);
  }

  async pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { contracts } = chain.definition;
    const { uniswapV3, wrappedNative } = contracts;
    if (!uniswapV3) return [];
    return convertiblePairs({
      tokens,
      intermediateTokens: [wrappedNative, ...uniswapV3.intermediateTokens],
      formsOf: (token) => [erc20Of(contracts, token)],
      liquidPairs: (pooled) => liquidPairs(chain, uniswapV3, pooled),
    });
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { uniswapV3 } = chain.definition.contracts;
    const quotes = await this.quotePaths(chain, request, 'quoteExactInput', request.amountIn);
    const best = bestOutput(this.name, quotes, request);
    if (!uniswapV3 || !best) return null;
    const { path, amount, gas } = best;
    const router = uniswapV3.swapRouter02;
    return {
      venue: this.name,
      amountIn: request.amountIn,
      amountOut: amount,
      gas,
      route: encodePath(path),
      calls: (o) => swapCalls({ request, path, router, ...o }),
    };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const quotes = await this.quotePaths(chain, request, 'quoteExactOutput', request.amountOut);
    const least = leastInput(this.name, quotes, request);
    return least && { venue: this.name, amountIn: least.amount, gas: least.gas };
  }

  /** Quotes every path in one call. */
  private async quotePaths(
    chain: ChainView,
    tokens: ConvertedTokens,
    functionName: QuoterFunction,
    amount: bigint,
  ): Promise<PathQuote<number>[]> {
    const { contracts } = chain.definition;
    const { uniswapV3, wrappedNative } = contracts;
    if (!uniswapV3 || amount <= 0n) return [];
    const paths = candidatePaths({
      inputs: [erc20Of(contracts, tokens.inputToken)],
      outputs: [erc20Of(contracts, tokens.outputToken)],
      intermediateTokens: [wrappedNative, ...uniswapV3.intermediateTokens],
      pools: uniswapV3.feeTiers,
    });
    if (paths.length === 0) return [];
    const encoded = (path: ConversionPath) =>
      encodePath(functionName === 'quoteExactInput' ? path : reversed(path));
    const answers = await aggregatedCalls(
      chain,
      paths.map((path) => ({
        target: uniswapV3.quoterV2,
        callData: encodeFunctionData({
          abi: quoterV2Abi,
          functionName,
          args: [encoded(path), amount],
        }),
      })),
    );
    const otherGas = ROUTER_GAS + (isNative(tokens) ? NATIVE_GAS : 0n);
    return paths.flatMap((path, i) => {
      const answer = answers[i];
      const quote = answer && decodePathQuote(functionName, answer);
      return quote ? [{ path, amount: quote.amount, gas: quote.poolGas + otherGas }] : [];
    });
  }
}
