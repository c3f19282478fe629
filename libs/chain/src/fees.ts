import type { Chain } from './chain.js';

export interface TransactionFees {
  /** Wei per unit of gas. */
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Room for six full blocks in a row, each of which raises the base fee by an eighth. */
const BASE_FEE_HEADROOM = 2n;
const FALLBACK_PRIORITY_FEE = 1_000_000_000n;

/** What a transaction sent now should offer. */
export async function feesFor(chain: Chain): Promise<TransactionFees> {
  const [block, priorityFee] = await Promise.all([
    chain.client.getBlock({ blockTag: 'latest' }),
    chain.client.estimateMaxPriorityFeePerGas().catch(() => FALLBACK_PRIORITY_FEE),
  ]);
  const baseFee = block.baseFeePerGas ?? (await chain.client.getGasPrice());
  return {
    maxFeePerGas: baseFee * BASE_FEE_HEADROOM + priorityFee,
    maxPriorityFeePerGas: priorityFee,
  };
}
