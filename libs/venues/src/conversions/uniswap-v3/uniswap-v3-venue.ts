import type { ChainView } from '@bascule/chain';
import {
  encodeFunctionData,
  getAddress,
  isAddressEqual,
  multicall3Abi,
  zeroAddress,
  type Address,
} from 'viem';
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
import { liquidPairs, pairsOf } from './liquid-pairs.js';
import { decodePathQuote, type PathQuote, type QuoterFunction } from './path-quote.js';
import { candidatePaths, encodePath, joins, reversed, type ConversionPath } from './paths.js';
import { swapCalls } from './swap-calls.js';

/** Gas of approvals, router and payments, without the pools' part from the quoter; measured, rounded up. */
const ROUTER_GAS = 40_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 10_000n;

/** Placeholder fee tier for paths of which only the tokens matter. */
const ANY_TIER = [0];

/** Uniswap V3: quotes all fee tiers and one intermediate token in one call and takes the best. */
export class UniswapV3Venue implements Venue {
  readonly name = 'uniswap_v3';

  mayConvert(
    { definition }: Pick<ChainView, 'definition'>,
    { inputToken, outputToken }: ConvertedTokens,
  ): boolean {
    const { uniswapV3, wrappedNative } = definition.contracts;
    const erc20 = (token: Address): Address => (token === zeroAddress ? wrappedNative : token);
    return uniswapV3 !== undefined && !isAddressEqual(erc20(inputToken), erc20(outputToken));
  }

  async pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { uniswapV3, wrappedNative } = chain.definition.contracts;
    if (!uniswapV3) return [];
    const intermediateTokens = [wrappedNative, ...uniswapV3.intermediateTokens];
    const erc20 = (token: Address): Address =>
      getAddress(token === zeroAddress ? wrappedNative : token);
    const pooled = new Set([...tokens, ...intermediateTokens].map(erc20));
    const isLiquid = joins(await liquidPairs(chain, uniswapV3, [...pooled]));
    return pairsOf(tokens).filter(([inputToken, outputToken]) =>
      candidatePaths({
        inputToken: erc20(inputToken),
        outputToken: erc20(outputToken),
        intermediateTokens,
        feeTiers: ANY_TIER,
      }).some((path) => isLiquid(path)),
    );
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { uniswapV3 } = chain.definition.contracts;
    const quotes = await this.quotePaths(chain, request, 'quoteExactInput', request.amountIn);
    const best = first(quotes, (one, other) => one.amount > other.amount);
    return uniswapV3 && best ? this.toVenueQuote(request, best, uniswapV3.swapRouter02) : null;
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const quotes = await this.quotePaths(chain, request, 'quoteExactOutput', request.amountOut);
    const best = first(quotes, (one, other) => one.amount < other.amount);
    return best && { venue: this.name, amountIn: best.amount, gas: gasOf(request, best) };
  }

  /** Quotes every path in one call. */
  private async quotePaths(
    chain: ChainView,
    { inputToken, outputToken }: ConvertedTokens,
    functionName: QuoterFunction,
    amount: bigint,
  ): Promise<PathQuote[]> {
    const { uniswapV3, wrappedNative, multicall3 } = chain.definition.contracts;
    if (!uniswapV3 || amount <= 0n) return [];
    const erc20 = (token: Address): Address => (token === zeroAddress ? wrappedNative : token);
    const paths = candidatePaths({
      inputToken: erc20(inputToken),
      outputToken: erc20(outputToken),
      intermediateTokens: [wrappedNative, ...uniswapV3.intermediateTokens],
      feeTiers: uniswapV3.feeTiers,
    });
    if (paths.length === 0) return [];
    const encoded = (path: ConversionPath) =>
      encodePath(functionName === 'quoteExactInput' ? path : reversed(path));
    const answers = await chain.client.readContract({
      address: multicall3,
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [
        paths.map((path) => ({
          target: uniswapV3.quoterV2,
          allowFailure: true,
          callData: encodeFunctionData({
            abi: quoterV2Abi,
            functionName,
            args: [encoded(path), amount],
          }),
        })),
      ],
    });
    return paths.flatMap((path, i) => {
      const answer = answers[i];
      return (answer && decodePathQuote(functionName, path, answer)) ?? [];
    });
  }

  private toVenueQuote(request: ConversionRequest, best: PathQuote, router: Address): VenueQuote {
    return {
      venue: this.name,
      amountIn: request.amountIn,
      amountOut: best.amount,
      gas: gasOf(request, best),
      route: encodePath(best.path),
      calls: ({ converter, minOutput }) =>
        swapCalls({ request, path: best.path, router, converter, minOutput }),
    };
  }
}

function gasOf({ inputToken, outputToken }: ConvertedTokens, { poolGas }: PathQuote): bigint {
  const isNative = inputToken === zeroAddress || outputToken === zeroAddress;
  return poolGas + ROUTER_GAS + (isNative ? NATIVE_GAS : 0n);
}

/** The quote that no other is better than; the earliest of equal ones. */
const first = (
  quotes: readonly PathQuote[],
  isBetter: (one: PathQuote, other: PathQuote) => boolean,
): PathQuote | null =>
  quotes.reduce<PathQuote | null>(
    (found, quote) => (found && !isBetter(quote, found) ? found : quote),
    null,
  );
