import { holdingsOverride, revertDataOf, TokenNotOverridableError } from '@bascule/chain';
import type { ChainView } from '@bascule/chain';
import { converterAbi } from '@bascule/solidity';
import {
  decodeFunctionResult,
  encodeFunctionData,
  zeroAddress,
  type Address,
  type StateOverride,
} from 'viem';
import type { CheckedSwap } from './checked-swap.js';
import { aggregatorCalls } from './swap-calls.js';

export interface SwapOutcome {
  amountOut: bigint;
  /** Null where the node does not estimate gas on an altered state. */
  gas: bigint | null;
}

/** Accounts without code: one pays for the calls, the other receives their output. */
const PAYER: Address = '0x00000000000000000000000000000000000ba5c1';
const RECIPIENT: Address = '0x00000000000000000000000000000000000ba5c2';
/** No leg's transaction may use more by default. */
const MAX_GAS = 5_000_000n;
/** Gas of a simulated transaction beside the calls: its own 21,000, the Converter's part, and the payout. */
const GAS_AROUND_CALLS = 65_000n;

/**
 * Makes the swap's calls by the Converter on the chain's current state, as if it held exactly the input. Null where they
 * revert, or where a token's balances cannot be set.
 * @throws the node's error where the chain cannot be read
 */
export async function simulateSwap(
  chain: ChainView,
  swap: CheckedSwap,
): Promise<SwapOutcome | null> {
  try {
    return await outcomeOf(chain, swap);
  } catch (error) {
    if (error instanceof TokenNotOverridableError || revertDataOf(error) !== null) return null;
    throw error;
  }
}

async function outcomeOf(chain: ChainView, swap: CheckedSwap): Promise<SwapOutcome> {
  const { converter } = chain.definition.contracts;
  const { inputToken, outputToken, amountIn } = swap;
  // Tokens that a stranger left with the Converter are no output of the swap.
  const stateOverride = await holdingsOverride(chain, [
    { account: converter, token: inputToken, amount: amountIn },
    { account: converter, token: outputToken, amount: 0n },
  ]);
  const call = { to: converter, data: conversionData(chain, swap), account: PAYER };
  const [{ data = '0x' }, gas] = await Promise.all([
    chain.client.call({ ...call, gas: MAX_GAS, stateOverride }),
    estimatedGas(chain, call, stateOverride),
  ]);
  const amountOut = decodeFunctionResult({ abi: converterAbi, functionName: 'convert', data });
  return { amountOut, gas };
}

/** The least minimum: the amount is what the simulation is made for. */
function conversionData({ chainId, definition }: ChainView, swap: CheckedSwap) {
  const { converter } = definition.contracts;
  const leg = {
    chainId: BigInt(chainId),
    inputToken: swap.inputToken,
    maxInput: swap.amountIn,
    fees: [],
    outputToken: swap.outputToken,
    minOutput: 1n,
    customCalls: [],
    bridgeAdapter: zeroAddress,
    minBridged: 0n,
  };
  return encodeFunctionData({
    abi: converterAbi,
    functionName: 'convert',
    args: [leg, RECIPIENT, aggregatorCalls(swap, { converter, minOutput: 1n })],
  });
}

async function estimatedGas(
  { client }: ChainView,
  call: Pick<Parameters<typeof client.estimateGas>[0], 'to' | 'data' | 'account'>,
  stateOverride: StateOverride,
): Promise<bigint | null> {
  try {
    const gas = await client.estimateGas({ ...call, gas: MAX_GAS, stateOverride });
    return gas > GAS_AROUND_CALLS ? gas - GAS_AROUND_CALLS : 0n;
  } catch {
    return null;
  }
}
