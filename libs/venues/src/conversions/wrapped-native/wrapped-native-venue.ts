import type { ChainView } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import { encodeFunctionData, isAddressEqual, zeroAddress, type Address } from 'viem';
import type {
  ConversionRequest,
  ConvertedTokens,
  ExactOutputQuote,
  ExactOutputRequest,
  TokenPair,
  Venue,
  VenueQuote,
} from '../venue.js';
import { wrappedNativeAbi } from './wrapped-native-abi.js';

/** Measured on WETH9, rounded up. */
const GAS = { wrap: 30_000n, unwrap: 25_000n };

const wrap = (wrappedNative: Address, amount: bigint): Call => ({
  target: wrappedNative,
  data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' }),
  value: amount,
});

const unwrap = (wrappedNative: Address, amount: bigint): Call => ({
  target: wrappedNative,
  data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] }),
  value: 0n,
});

/** Wraps and unwraps the chain's native currency, one to one. */
export class WrappedNativeVenue implements Venue {
  readonly name = 'wrapped_native';

  mayConvert(chain: Pick<ChainView, 'definition'>, tokens: ConvertedTokens): boolean {
    return directionOf(chain, tokens) !== null;
  }

  async pairs({ definition }: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { wrappedNative } = definition.contracts;
    const wrapped = tokens.find((token) => isAddressEqual(token, wrappedNative));
    return wrapped && tokens.includes(zeroAddress) ? [[zeroAddress, wrapped]] : [];
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { amountIn } = request;
    const { wrappedNative } = chain.definition.contracts;
    const direction = directionOf(chain, request);
    if (amountIn <= 0n || direction === null) return null;
    const isWrapping = direction === 'wrap';
    return {
      venue: this.name,
      amountIn,
      amountOut: amountIn,
      gas: GAS[direction],
      route: direction,
      calls: () => [isWrapping ? wrap(wrappedNative, amountIn) : unwrap(wrappedNative, amountIn)],
    };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const { amountOut } = request;
    const direction = directionOf(chain, request);
    if (amountOut <= 0n || direction === null) return null;
    return { venue: this.name, amountIn: amountOut, gas: GAS[direction] };
  }
}

/** Null for other tokens than the native currency and its wrapped form. */
function directionOf(
  { definition }: Pick<ChainView, 'definition'>,
  { inputToken, outputToken }: ConvertedTokens,
): keyof typeof GAS | null {
  const { wrappedNative } = definition.contracts;
  if (inputToken === zeroAddress && isAddressEqual(outputToken, wrappedNative)) return 'wrap';
  return outputToken === zeroAddress && isAddressEqual(inputToken, wrappedNative) ? 'unwrap' : null;
}
