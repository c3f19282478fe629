import type { Chain } from './chain.js';
import type { ChainDefinition } from './definitions/chain-definition.js';

export interface TransactionFees {
  /** Wei per unit of gas. */
  maxFeePerGas: bigint;
  /** Where a transaction pays one gas price it is the same as the fee. */
  maxPriorityFeePerGas: bigint;
}

/** How a transaction says what it offers. */
type OfferedFees = ({ type: 'eip1559' } & TransactionFees) | { type: 'legacy'; gasPrice: bigint };

/** Room for six full blocks in a row, each of which raises the base fee by an eighth. */
const BASE_FEE_HEADROOM = 2n;

/** What a transaction sent now should offer. */
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

/** What the node's gas price has in it for whoever builds the block. */
const above = (baseFee: bigint, gasPrice: bigint): bigint =>
  gasPrice > baseFee ? gasPrice - baseFee : 0n;

/** The fields of a transaction, in the style of its chain. */
export const offeredFees = (
  { feeStyle }: Pick<ChainDefinition, 'feeStyle'>,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
): OfferedFees =>
  feeStyle === 'legacy'
    ? { type: 'legacy', gasPrice: maxFeePerGas }
    : { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas };
