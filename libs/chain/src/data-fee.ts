import { parseAbi } from 'viem';
import type { Hex } from 'viem';
import type { Chain } from './chain.js';
import { medianOf } from './fees.js';

/** `GasPriceOracle` of the OP stack, since its Fjord upgrade. */
const ORACLE = parseAbi([
  'function getL1Fee(bytes unsignedTransaction) view returns (uint256)',
  'function getL1FeeUpperBound(uint256 unsignedBytes) view returns (uint256)',
]);

/**
 * Fee of a rollup for a transaction's data on its parent chain, charged beside the gas, in wei: the nodes' median. 0 on
 * chains without one, or where it is part of the gas.
 * @param transaction serialised, without a signature: the oracle adds its size
 */
export async function dataFeeOf(chain: Chain, transaction: Hex): Promise<bigint> {
  const { dataFeeOracle: address } = chain.definition;
  if (address === undefined) return 0n;
  return medianOf(
    chain,
    (node) =>
      node.readContract({ address, abi: ORACLE, functionName: 'getL1Fee', args: [transaction] }),
    'higher',
  );
}

/** Highest data fee of a transaction of this many bytes, whatever they are, in wei. */
export async function maxDataFeeOf(chain: Chain, bytes: number): Promise<bigint> {
  const { dataFeeOracle: address } = chain.definition;
  if (address === undefined) return 0n;
  const args = [BigInt(bytes)] as const;
  return medianOf(
    chain,
    (node) => node.readContract({ address, abi: ORACLE, functionName: 'getL1FeeUpperBound', args }),
    'higher',
  );
}
