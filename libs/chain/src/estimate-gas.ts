import type { EstimateGasParameters } from 'viem';
import type { Chain, EndpointClient } from './chain.js';
import { revertDataOf } from './simulations/call-failure.js';
import { witnessedAnswer } from './witnesses.js';

type Estimate = { gas: bigint } | { revert: unknown };

/**
 * Estimates the gas of a call. Where several nodes are configured, two must say that it reverts or needs more than the
 * bound: a single one could end payments by such a lie.
 * @param bound most gas that the call may use
 * @returns the estimate; above the bound where the call needs more
 * @throws the node's error where the call reverts
 * @throws where nodes disagree
 */
export async function estimateGasOf(
  chain: Pick<Chain, 'name' | 'client' | 'endpoints'>,
  call: EstimateGasParameters,
  bound: bigint,
): Promise<bigint> {
  const isWithin = (estimate: Estimate): boolean => 'gas' in estimate && estimate.gas <= bound;
  const first = await estimateBy(chain.client, call);
  const estimate = isWithin(first)
    ? first
    : await witnessedAnswer(
        chain,
        (node) => estimateBy(node, call),
        (each) => String(isWithin(each)),
      );
  if ('revert' in estimate) throw estimate.revert;
  return estimate.gas;
}

async function estimateBy(
  client: Pick<EndpointClient, 'estimateGas'>,
  call: EstimateGasParameters,
): Promise<Estimate> {
  try {
    return { gas: await client.estimateGas(call) };
  } catch (error) {
    if (revertDataOf(error) === null) throw error;
    return { revert: error };
  }
}
