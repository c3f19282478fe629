import type { ChainContracts, ChainView, UniswapV4PoolKind } from '@bascule/chain';
import { isAddressEqual, zeroAddress, type Address } from 'viem';
import { aggregatedCalls } from '../aggregated-calls.js';
import { isSameAsset } from '../erc20-of.js';
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
import { decodePathQuote, encodePathQuote, type V4QuoterFunction } from './path-quote.js';
import { liquidPairs, routeOf } from './pools.js';
import { formChangeCount, swapCalls } from './swap-calls.js';

/** Gas of transfers and router, without the pools' part from the quoter; measured, rounded up. */
const ROUTER_GAS = 70_000n;
/** Gas of wrapping or unwrapping native currency in the router. */
const NATIVE_GAS = 20_000n;
/** Amounts of a swap are signed 128-bit numbers. */
const MAX_AMOUNT = 2n ** 127n - 1n;

/** Uniswap V4: quotes all pools without hooks and one intermediate currency in one call and takes the best. */
export class UniswapV4Venue implements Venue {
  readonly name = 'uniswap_v4';

  mayConvert(
    { definition: { contracts } }: Pick<ChainView, 'definition'>,
    tokens: ConvertedTokens,
  ): boolean {
    return contracts.uniswapV4 !== undefined && !isSameAsset(contracts, tokens);
  }

  async pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { contracts } = chain.definition;
    const { uniswapV4, wrappedNative } = contracts;
    if (!uniswapV4) return [];
    return convertiblePairs({
      tokens,
      intermediateTokens: [zeroAddress, wrappedNative, ...uniswapV4.intermediateTokens],
      formsOf: (token) => currenciesOf(contracts, token),
      liquidPairs: (pooled) => liquidPairs(chain, uniswapV4, pooled),
    });
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { uniswapV4 } = chain.definition.contracts;
    const quotes = await this.quotePaths(chain, request, 'quoteExactInput', request.amountIn);
    const best = bestOutput(this.name, quotes, request);
    if (!uniswapV4 || !best) return null;
    const { path, amount, gas } = best;
    const router = uniswapV4.universalRouter;
    return {
      venue: this.name,
      amountIn: request.amountIn,
      amountOut: amount,
      gas,
      route: routeOf(path),
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
    functionName: V4QuoterFunction,
    amount: bigint,
  ): Promise<PathQuote<UniswapV4PoolKind>[]> {
    const { contracts } = chain.definition;
    const { uniswapV4, wrappedNative } = contracts;
    if (!uniswapV4 || amount <= 0n || amount > MAX_AMOUNT) return [];
    const paths = candidatePaths({
      inputs: currenciesOf(contracts, tokens.inputToken),
      outputs: currenciesOf(contracts, tokens.outputToken),
      intermediateTokens: [zeroAddress, wrappedNative, ...uniswapV4.intermediateTokens],
      pools: uniswapV4.pools,
    });
    if (paths.length === 0) return [];
    const answers = await aggregatedCalls(
      chain,
      paths.map((path) => ({
        target: uniswapV4.quoter,
        callData: encodePathQuote(functionName, path, amount),
      })),
    );
    return paths.flatMap((path, i) => {
      const answer = answers[i];
      const quote = answer && decodePathQuote(functionName, answer);
      if (!quote) return [];
      const changes = formChangeCount({ request: tokens, path });
      const gas = quote.poolGas + ROUTER_GAS + NATIVE_GAS * changes;
      return [{ path, amount: quote.amount, gas }];
    });
  }
}

/** Currencies by which pools may know a token: native currency is one of its own beside its wrapped form. */
const currenciesOf = (
  { wrappedNative }: Pick<ChainContracts, 'wrappedNative'>,
  token: Address,
): Address[] =>
  token === zeroAddress || isAddressEqual(token, wrappedNative)
    ? [zeroAddress, wrappedNative]
    : [token];
