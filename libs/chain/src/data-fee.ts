import { parseAbi } from 'viem';
import type { Hex } from 'viem';
import type { Chain, ChainView } from './chain.js';
import { atMost, maxFeeOf, mediansOf } from './fees.js';
import type { Medians } from './fees.js';

/** `GasPriceOracle` of the OP stack, since its Fjord upgrade. */
const ORACLE = parseAbi([
  'function getL1Fee(bytes unsignedTransaction) view returns (uint256)',
  'function getL1FeeUpperBound(uint256 unsignedBytes) view returns (uint256)',
]);

/** Gas of a byte of call data: at the chain's highest fee, the ceiling of what a byte is charged. */
const GAS_OF_BYTE = 16n;

const NONE: Medians = { lower: 0n, higher: 0n };

/**
 * Fee of a rollup for a transaction's data on its parent chain, charged beside the gas, in wei: the nodes' median. 0 on
 * chains without one, or where it is part of the gas. Has no ceiling, since a transaction pays what the chain asks.
 * @param transaction serialised, without a signature: the oracle adds its size
 */
export async function dataFeeOf(chain: Chain, transaction: Hex): Promise<Medians> {
  const { definition } = chain;
  if (definition.dataFeeOracle === undefined) return NONE;
  return mediansOf(chain, (client) => dataFeeIn({ definition, client }, transaction));
}

/** Data fee of a transaction as one node shows it, in wei. */
export async function dataFeeIn(
  { definition, client }: Pick<ChainView, 'definition' | 'client'>,
  transaction: Hex,
): Promise<bigint> {
  const { dataFeeOracle: address } = definition;
  if (address === undefined) return 0n;
  const args = [transaction] as const;
  return client.readContract({ address, abi: ORACLE, functionName: 'getL1Fee', args });
}

/**
 * Highest data fee of a transaction of this many bytes, whatever they are, in wei: of two nodes both, the higher one to
 * charge and bound, the lower one to refuse by. At most the gas of call data at the chain's highest fee.
 */
export async function maxDataFeesOf(chain: Chain, bytes: number): Promise<Medians> {
  const { dataFeeOracle: address } = chain.definition;
  if (address === undefined) return NONE;
  const args = [BigInt(bytes)] as const;
  const fees = await mediansOf(chain, (node) =>
    node.readContract({ address, abi: ORACLE, functionName: 'getL1FeeUpperBound', args }),
  );
  return atMost(fees, maxFeeOf(chain) * GAS_OF_BYTE * BigInt(bytes));
}

/** Highest data fee to charge for a transaction of this many bytes, in wei. */
export const maxDataFeeOf = async (chain: Chain, bytes: number): Promise<bigint> =>
  (await maxDataFeesOf(chain, bytes)).higher;
