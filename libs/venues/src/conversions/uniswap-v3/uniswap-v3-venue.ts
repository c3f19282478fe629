import type { Chain } from '@bascule/chain';
import { encodeFunctionData, getAddress, multicall3Abi, zeroAddress, type Address } from 'viem';
import type { ConversionRequest, TokenPair, Venue, VenueQuote } from '../venue.js';
import { quoterV2Abi } from './abi.js';
import { liquidPairs, pairsOf } from './liquid-pairs.js';
import { decodePathQuote, type PathQuote } from './path-quote.js';
import { candidatePaths, encodePath, joins } from './paths.js';
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

  async pairs(chain: Chain, tokens: readonly Address[]): Promise<TokenPair[]> {
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

  async quoteExactInput(chain: Chain, request: ConversionRequest): Promise<VenueQuote | null> {
    const { uniswapV3, wrappedNative, multicall3 } = chain.definition.contracts;
    if (!uniswapV3 || request.amountIn <= 0n) return null;
    const erc20 = (token: Address): Address => (token === zeroAddress ? wrappedNative : token);
    const paths = candidatePaths({
      inputToken: erc20(request.inputToken),
      outputToken: erc20(request.outputToken),
      intermediateTokens: [wrappedNative, ...uniswapV3.intermediateTokens],
      feeTiers: uniswapV3.feeTiers,
    });
    if (paths.length === 0) return null;
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
            functionName: 'quoteExactInput',
            args: [encodePath(path), request.amountIn],
          }),
        })),
      ],
    });
    const quotes = paths.flatMap((path, i) => {
      const answer = answers[i];
      return (answer && decodePathQuote(path, answer)) ?? [];
    });
    const best = quotes.reduce<PathQuote | null>(
      (found, quote) => (found && found.amountOut >= quote.amountOut ? found : quote),
      null,
    );
    return best && this.toVenueQuote(request, best, uniswapV3.swapRouter02);
  }

  private toVenueQuote(request: ConversionRequest, best: PathQuote, router: Address): VenueQuote {
    const native = request.inputToken === zeroAddress || request.outputToken === zeroAddress;
    return {
      venue: this.name,
      amountIn: request.amountIn,
      amountOut: best.amountOut,
      gas: best.poolGas + ROUTER_GAS + (native ? NATIVE_GAS : 0n),
      path: best.path,
      calls: ({ converter, minOutput }) =>
        swapCalls({ request, path: best.path, router, converter, minOutput }),
    };
  }
}
