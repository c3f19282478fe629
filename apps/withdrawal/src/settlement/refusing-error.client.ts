import { NodesUnavailableError, revertDataOf, witnessedView } from '@bascule/chain';
import type { Chain, ChainView } from '@bascule/chain';
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  getAbiItem,
  multicall3Abi,
} from 'viem';
import type { Address, Hex } from 'viem';
import type { Call } from '../accounts/withdrawal-account.js';
import { contractError } from './contract-error.js';

const aggregate3Abi = [getAbiItem({ abi: multicall3Abi, name: 'aggregate3' })];

/**
 * Reads the error by which contracts refuse a withdrawal, null for an unknown one: two nodes must name it where several
 * are configured, since it decides whether the withdrawal fails.
 * @param stated revert data of the refused transaction
 * @throws NodesUnavailableError when no two agree, or they name another error now
 */
export async function refusingError(
  chain: Chain,
  account: Address,
  call: Call,
  stated: Hex,
): Promise<string | null> {
  if (call.to === chain.definition.contracts.multicall3) {
    return witnessedView(chain, async (view) =>
      contractError(await innerRevert(view, account, call)),
    );
  }
  const named = contractError(stated);
  if (chain.endpoints.length === 1) return named;
  const found = await witnessedView(chain, async (view) =>
    contractError(await directRevert(view, account, call)),
  );
  if (found === named) return named;
  throw new NodesUnavailableError(`nodes of ${chain.name} name another error than before`);
}

async function directRevert(
  { client }: ChainView,
  account: Address,
  { to, data }: Call,
): Promise<Hex> {
  try {
    await client.call({ account, to, data });
    return '0x';
  } catch (error) {
    const found = revertDataOf(error);
    if (found === null) throw error;
    return found;
  }
}

/** Repeats the batch with failures allowed, since Multicall3 otherwise hides the revert reason. */
async function innerRevert(
  { client }: ChainView,
  account: Address,
  { to, data: batch }: Call,
): Promise<Hex> {
  const [calls] = decodeFunctionData({ abi: aggregate3Abi, data: batch }).args;
  const failing = calls.map((call) => ({ ...call, allowFailure: true }));
  const probe = encodeFunctionData({
    abi: aggregate3Abi,
    functionName: 'aggregate3',
    args: [failing],
  });
  const { data } = await client.call({ account, to, data: probe });
  if (data === undefined) return '0x';
  const results = decodeFunctionResult({ abi: aggregate3Abi, functionName: 'aggregate3', data });
  // The last call is the withdrawal; earlier ones may fail when another transaction was first.
  const last = results.at(-1);
  return last === undefined || last.success ? '0x' : last.returnData;
}
