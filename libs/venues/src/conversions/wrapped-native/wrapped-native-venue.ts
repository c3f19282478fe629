import type { Chain } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import { encodeFunctionData, isAddressEqual, zeroAddress, type Address } from 'viem';
import type { ConversionRequest, TokenPair, Venue, VenueQuote } from '../venue.js';
import { wrappedNativeAbi } from './wrapped-native-abi.js';

/** Measured on WETH9, rounded up. */
const WRAP_GAS = 30_000n;
const UNWRAP_GAS = 25_000n;

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

  async pairs({ definition }: Chain, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { wrappedNative } = definition.contracts;
    const wrapped = tokens.find((token) => isAddressEqual(token, wrappedNative));
    return wrapped && tokens.includes(zeroAddress) ? [[zeroAddress, wrapped]] : [];
  }

  async quoteExactInput(chain: Chain, request: ConversionRequest): Promise<VenueQuote | null> {
    const { inputToken, outputToken, amountIn } = request;
    const { wrappedNative } = chain.definition.contracts;
    const wraps = inputToken === zeroAddress && isAddressEqual(outputToken, wrappedNative);
    const unwraps = outputToken === zeroAddress && isAddressEqual(inputToken, wrappedNative);
    if (amountIn <= 0n || (!wraps && !unwraps)) return null;
    return {
      venue: this.name,
      amountIn,
      amountOut: amountIn,
      gas: wraps ? WRAP_GAS : UNWRAP_GAS,
      path: { tokens: [inputToken, outputToken], feeTiers: [] },
      calls: () => [wraps ? wrap(wrappedNative, amountIn) : unwrap(wrappedNative, amountIn)],
    };
  }
}
