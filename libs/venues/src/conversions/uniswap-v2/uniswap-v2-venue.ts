import type { ChainView } from '@bascule/chain';
import { concat, type Address } from 'viem';
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
import { inputOfPath, outputOfPath } from './amounts.js';
import { liquidPairs } from './liquid-pairs.js';
import { reservesOfPaths } from './reserves.js';
import { swapCalls } from './swap-calls.js';

/** Gas of approvals, router and payments, without the pairs' part; measured, rounded up. */
const ROUTER_GAS = 60_000n;
/** Gas of a swap in a pair. */
const PAIR_GAS = 70_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 20_000n;

/** Uniswap V2: computes all paths, direct and of one intermediate token, from reserves read in one call. */
export class UniswapV2Venue implements Venue {
  readonly name = 'uniswap_v2';

  mayConvert(
    { definition: { contracts } }: Pick<ChainView, 'definition'>,
    tokens: ConvertedTokens,
  ): boolean {
    return contracts.uniswapV2 !== undefined && !isSameAsset(contracts, tokens);
  }

  async pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { contracts } = chain.definition;
    const { uniswapV2, wrappedNative } = contracts;
    if (!uniswapV2) return [];
    return convertiblePairs({
      tokens,
      intermediateTokens: [wrappedNative, ...uniswapV2.intermediateTokens],
      formsOf: (token) => [erc20Of(contracts, token)],
      liquidPairs: (pooled) => liquidPairs(chain, uniswapV2, pooled),
    });
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { uniswapV2 } = chain.definition.contracts;
    const quotes = await this.quotePaths(chain, request, outputOfPath, request.amountIn);
    const best = bestOutput(this.name, quotes, request);
    if (!uniswapV2 || !best) return null;
    const { tokens } = best.path;
    const router = uniswapV2.router02;
    return {
      venue: this.name,
      amountIn: request.amountIn,
      amountOut: best.amount,
      gas: best.gas,
      route: concat(tokens).toLowerCase(),
      calls: (o) => swapCalls({ request, tokens, router, ...o }),
    };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const quotes = await this.quotePaths(chain, request, inputOfPath, request.amountOut);
    const least = leastInput(this.name, quotes, request);
    return least && { venue: this.name, amountIn: least.amount, gas: least.gas };
  }

  private async quotePaths(
    chain: ChainView,
    tokens: ConvertedTokens,
    amountOf: typeof outputOfPath,
    amount: bigint,
  ): Promise<PathQuote<null>[]> {
    const { contracts } = chain.definition;
    const { uniswapV2, wrappedNative } = contracts;
    if (!uniswapV2 || amount <= 0n) return [];
    const paths = candidatePaths({
      inputs: [erc20Of(contracts, tokens.inputToken)],
      outputs: [erc20Of(contracts, tokens.outputToken)],
      intermediateTokens: [wrappedNative, ...uniswapV2.intermediateTokens],
      pools: [null],
    });
    if (paths.length === 0) return [];
    const reserves = await reservesOfPaths(chain, uniswapV2, paths);
    const otherGas = ROUTER_GAS + (isNative(tokens) ? NATIVE_GAS : 0n);
    return paths.flatMap((path, i) => {
      const pairs = reserves[i];
      const reached = pairs && amountOf(amount, pairs, uniswapV2.fee);
      const gas = PAIR_GAS * BigInt(path.pools.length) + otherGas;
      return reached ? [{ path, amount: reached, gas }] : [];
    });
  }
}
