import { changedMulticall } from '@bascule/testing';
import type { LyingNode, RpcCall } from '@bascule/testing';
import { toFunctionSelector } from 'viem';
import type { AbiFunction, Hex } from 'viem';

const AGGREGATE_SELECTOR = toFunctionSelector('aggregate3((address,bool,bytes)[])');

export interface Counted {
  count: number;
}

/** Makes a node answer calls of a function by a result of its own, also within a multicall; counts these answers. */
export function answerFalsely(node: LyingNode, lie: { of: AbiFunction; by: Hex }): Counted {
  const told = { count: 0 };
  const selector = toFunctionSelector(lie.of);
  node.lies.set('eth_call', async (call, honest) => {
    const data = dataOf(call);
    if (data.startsWith(selector)) {
      told.count += 1;
      return { result: lie.by };
    }
    const answer = await honest();
    if (!data.startsWith(AGGREGATE_SELECTOR) || answer.result === undefined) return answer;
    const result = changedMulticall(data, answer.result as Hex, (callData, honestResult) => {
      if (!callData.startsWith(selector)) return honestResult;
      told.count += 1;
      return { success: true, returnData: lie.by };
    });
    return { result };
  });
  return told;
}

/** Data of an `eth_call` or `eth_estimateGas`. */
export function dataOf({ params: [transaction] }: RpcCall): Hex {
  const { data, input } = transaction as { data?: Hex; input?: Hex };
  return data ?? input ?? '0x';
}
