import { parseAbi } from 'viem';

/** ABI of WETH9, which the wrapped native currency of every chain implements. */
export const wrappedNativeAbi = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
]);
