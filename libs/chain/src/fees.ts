import type { Chain } from './chain.js';
import type { ChainDefinition } from './definitions/chain-definition.js';

export interface TransactionFees {
  /** Wei per unit of gas. */
  maxFeePerGas: bigint;
  /** Equal to the fee on chains with a single gas price. */
  maxPriorityFeePerGas: bigint;
}

/** Fee fields of a transaction. */
type OfferedFees = ({ type: 'eip1559' } & TransactionFees) | { type: 'legacy'; gasPrice: bigint };

/** Room for six full blocks in a row, each of which raises the base fee by an eighth. */
const BASE_FEE_HEADROOM = 2n;

/** Fees to offer for a transaction sent now. */
export async function feesFor(chain: Chain): Promise<TransactionFees> {
  if (chain.definition.feeStyle === 'legacy') {
    const gasPrice = await chain.client.getGasPrice();
    return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
  }
  const [block, tip] = await Promise.all([
    chain.client.getBlock({ blockTag: 'latest' }),
    chain.client.estimateMaxPriorityFeePerGas().catch(() => null),
  ]);
  const baseFee = block.baseFeePerGas ?? (await chain.client.getGasPrice());
  const priorityFee = tip ?? above(baseFee, await chain.client.getGasPrice());
  return {
    maxFeePerGas: baseFee * BASE_FEE_HEADROOM + priorityFee,
    maxPriorityFeePerGas: priorityFee,
  };
}

/** Tip that is part of the node's gas price. */
const above = (baseFee: bigint, gasPrice: bigint): bigint =>
  gasPrice > baseFee ? gasPrice - baseFee : 0n;

/** Formats fees for the fee model of the chain. */
export const offeredFees = (
  { feeStyle }: Pick<ChainDefinition, 'feeStyle'>,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
): OfferedFees =>
  feeStyle === 'legacy'
    ? { type: 'legacy', gasPrice: maxFeePerGas }
    : { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas };
