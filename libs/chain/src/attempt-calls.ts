import { decodeFunctionResult, encodeFunctionData, getAbiItem, multicall3Abi } from 'viem';
import type { Address, Hex, StateOverride } from 'viem';
import type { ChainView } from './chain.js';
import { isOutOfGas } from './simulations/call-failure.js';

export interface AttemptedCall {
  target: Address;
  data: Hex;
}

export interface CallOutcome {
  success: boolean;
  /** Returned bytes, or those of the revert. */
  data: Hex;
}

const abi = [getAbiItem({ abi: multicall3Abi, name: 'aggregate3' })];

/**
 * Simulates calls in one transaction; each may fail without ending the others. A revert is an outcome, so that an error
 * always means an unreadable chain.
 * @param gas limit of all calls together
 */
export async function attemptCalls(
  { client, definition }: Pick<ChainView, 'client' | 'definition'>,
  calls: readonly AttemptedCall[],
  { gas, stateOverride }: { gas: bigint; stateOverride?: StateOverride },
): Promise<CallOutcome[]> {
  const args = calls.map(({ target, data }) => ({ target, allowFailure: true, callData: data }));
  const request = {
    to: definition.contracts.multicall3,
    data: encodeFunctionData({ abi, functionName: 'aggregate3', args: [args] }),
    gas,
    ...(stateOverride && { stateOverride }),
  };
  const data = await client.call(request).then(
    (result) => result.data,
    (error: unknown) => {
      // A call that returns more bytes than the gas can copy exhausts the gas of all.
      if (isOutOfGas(error)) return null;
      throw error;
    },
  );
  if (data === null) return calls.map(() => ({ success: false, data: '0x' }));
  const results = decodeFunctionResult({ abi, functionName: 'aggregate3', data: data ?? '0x' });
  return results.map(({ success, returnData }) => ({ success, data: returnData }));
}
