import { intentEscrowAbi, oneTimeWalletAbi } from '@bascule/solidity';
import { decodeErrorResult, parseAbi } from 'viem';
import type { Hex } from 'viem';

const tokenErrors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
]);
const ERRORS = [...oneTimeWalletAbi, ...intentEscrowAbi, ...tokenErrors];

/** Decodes the error name of a wallet's, the escrow's or a token's revert; null for any other contract. */
export function contractError(data: Hex): string | null {
  try {
    return decodeErrorResult({ abi: ERRORS, data }).errorName;
  } catch {
    return null;
  }
}
