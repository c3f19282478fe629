import type { Address, Hex } from 'viem';
import type { Chain, EndpointClient } from './chain.js';
import { intrinsicGas } from './intrinsic-gas.js';
import { median } from './median.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { settleWithGrace } from './settle-with-grace.js';
import type { Answers } from './collect-answers.js';
import { revertDataOf } from './simulations/call-failure.js';
import { countAlike, witnessesNeeded } from './witnesses.js';

interface EstimatedCall {
  account: Address;
  to: Address;
  data: Hex;
  value?: bigint;
}

type Estimate = { gas: bigint } | { revert: unknown };

/** Wait for slower nodes after two have answered alike. */
const STRAGGLER_MS = 250;
/** The same after two that differ: the slower ones decide. */
const CONTRADICTION_MS = 3_000;
/** Nodes of which one that answers too low is outvoted, and the wait for the second. */
const QUORUM = { results: 2, waitMs: 3_000 };

/**
 * Estimates the gas of a call: the nodes' median, of two the higher estimate, at least the intrinsic gas. A call that runs
 * out of gas costs money, and one below the intrinsic gas is never mined. Where several nodes are configured, two must say
 * that a call reverts or needs more than the bound: a single one could end payments by such a lie.
 * @param bound most gas that the call may use
 * @returns the estimate; above the bound where the call needs more
 * @throws the node's error where the call reverts
 * @throws NodesUnavailableError where too few nodes answer
 */
export async function estimateGasOf(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  call: EstimatedCall,
  bound: bigint,
): Promise<bigint> {
  const { values: estimates, reasons } = await settleAlike(
    chain.endpoints.map((node) => estimateBy(node, call)),
  );
  const refusals = estimates.filter((each) => !('gas' in each) || each.gas > bound);
  const isRefused =
    refusals.length >= witnessesNeeded(chain) && refusals.length > estimates.length / 2;
  if (isRefused) return refusedBy(refusals);
  if (refusals.length === estimates.length) {
    if (chain.endpoints.length === 1) throw reasons[0];
    throw new NodesUnavailableError(`too few nodes of ${chain.name} estimated gas`, reasons);
  }
  const numbers = estimates.flatMap((each) => ('gas' in each ? [each.gas] : []));
  const wanted = larger(median(numbers, 'higher') ?? 0n, intrinsicGas(call.data));
  return wanted < bound ? wanted : bound;
}

/** Waits longer for slower nodes where the first ones differ. */
async function settleAlike(asked: readonly Promise<Estimate>[]): Promise<Answers<Estimate>> {
  const first = await settleWithGrace(asked, STRAGGLER_MS, QUORUM);
  return doDiffer(first.values) ? settleWithGrace(asked, CONTRADICTION_MS, QUORUM) : first;
}

/** Whether some estimate a revert and others do not, or one is more than a fifth above another. */
function doDiffer(estimates: readonly Estimate[]): boolean {
  const numbers = estimates.flatMap((each) => ('gas' in each ? [each.gas] : []));
  if (numbers.length < estimates.length) return numbers.length > 0;
  return numbers.some((one) => numbers.some((other) => 5n * one > 6n * other));
}

/** Answer that most of the refusing nodes give. */
function refusedBy(refusals: readonly Estimate[]): bigint {
  const [most] = countAlike(refusals, (each) =>
    'gas' in each ? 'gas' : (revertDataOf(each.revert) ?? ''),
  );
  if (most === undefined) throw new Error('expected at least one refusal');
  if ('revert' in most.answer) throw most.answer.revert;
  return most.answer.gas;
}

async function estimateBy(
  client: Pick<EndpointClient, 'estimateGas'>,
  call: EstimatedCall,
): Promise<Estimate> {
  try {
    return { gas: await client.estimateGas(call) };
  } catch (error) {
    if (revertDataOf(error) === null) throw error;
    return { revert: error };
  }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
