import {
  decodeFunctionData,
  isAddressEqual,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';

const allowanceHolderAbi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes result)',
]);

/**
 * Whether the bytes call `exec` of the AllowanceHolder, and let its operator take at most this amount of this token. The
 * zero address is native currency, which needs no allowance.
 */
export function spendsOnly(
  data: Hex,
  { token, amount }: { token: Address; amount: bigint },
): boolean {
  try {
    const { args } = decodeFunctionData({ abi: allowanceHolderAbi, data });
    const [, spent, allowed] = args;
    return token === zeroAddress || (isAddressEqual(spent, token) && allowed <= amount);
  } catch {
    return false;
  }
}
