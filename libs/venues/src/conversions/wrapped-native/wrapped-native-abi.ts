import { parseAbi } from 'viem';

/** WETH9's, which the wrapped native currency of every chain follows. */
export const wrappedNativeAbi = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 amount)',
]);
