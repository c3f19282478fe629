import type { ChainContracts } from '@bascule/chain';
import { isAddressEqual, zeroAddress, type Address } from 'viem';
import type { ConvertedTokens } from './venue.js';

type WrappedNative = Pick<ChainContracts, 'wrappedNative'>;

/** The token itself, and wrapped native currency for native. */
export const erc20Of = ({ wrappedNative }: WrappedNative, token: Address): Address =>
  token === zeroAddress ? wrappedNative : token;

/** Whether a conversion only wraps, unwraps or leaves what it is given. */
export const isSameAsset = (
  contracts: WrappedNative,
  { inputToken, outputToken }: ConvertedTokens,
): boolean => isAddressEqual(erc20Of(contracts, inputToken), erc20Of(contracts, outputToken));

export const isNative = ({ inputToken, outputToken }: ConvertedTokens): boolean =>
  inputToken === zeroAddress || outputToken === zeroAddress;
