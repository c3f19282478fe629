import { rpcCall } from '@bascule/local-stack';
import { numberToHex, toFunctionSelector } from 'viem';
import type { Address } from 'viem';

/**
 * Answers `getL1Fee(bytes)` and `getL1FeeUpperBound(uint256)` as the OP stack's `GasPriceOracle` does, with the number of
 * bytes times the first storage slot.
 */
const CODE = '0x5f3560e01c6349948e0e146014576004356018565b6024355b5f54025f5260205ff3';

const ORACLE = '0x420000000000000000000000000000000000000F';
const SELECTORS = ['getL1Fee(bytes)', 'getL1FeeUpperBound(uint256)'].map(toFunctionSelector);

/** Whether the parameters of an `eth_call` ask the oracle for a data fee. */
export function asksForDataFee([call]: readonly unknown[]): boolean {
  const { to, data } = call as { to?: string; data?: string };
  const isOracle = to?.toLowerCase() === ORACLE.toLowerCase();
  return isOracle && SELECTORS.some((selector) => data?.startsWith(selector));
}

/** Sets the data fee of a chain, in wei per byte of a transaction; returns the oracle's address. */
export async function setDataFee(rpcUrl: string, weiPerByte: bigint): Promise<Address> {
  await rpcCall(rpcUrl, 'anvil_setCode', [ORACLE, CODE]);
  const value = numberToHex(weiPerByte, { size: 32 });
  await rpcCall(rpcUrl, 'anvil_setStorageAt', [ORACLE, numberToHex(0, { size: 32 }), value]);
  return ORACLE;
}
