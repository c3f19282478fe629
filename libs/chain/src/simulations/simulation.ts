import { actionRunner, actionRunnerAbi } from '@bascule/solidity';
import type { Call, Leg } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, size } from 'viem';
import type { Address, CallParameters } from 'viem';
import type { ChainView } from '../chain.js';
import { ZERO_ADDRESS } from '../zero-address.js';
import { isNodeFailure, revertReasonText } from './call-failure.js';
import { holdingsOverride, TokenNotOverridableError } from './holdings-override.js';
import { mergeStateOverrides } from './merge-state-overrides.js';

/** Outcome of a call on the chain's current state. */
export type Simulation = { kind: 'passed' } | { kind: 'reverted'; reason: string };

/** Custom calls of a last leg, with the least output that they can count on. */
export interface CustomCallsRun {
  wallet: Address;
  destination: Address;
  /** The zero address is native currency. */
  inputToken: Address;
  outputToken: Address;
  minOutput: bigint;
  calls: readonly Call[];
  gas: bigint;
}

/**
 * Gas of a simulated payout, the 21,000 of a transaction included. Every leg's limit has room for it: quote plans twice
 * the gas of a leg, at least 200,000, and 100,000 more.
 */
const PAYOUT_GAS = 300_000n;

const PASSED: Simulation = { kind: 'passed' };
const reverted = (reason: string): Simulation => ({ kind: 'reverted', reason });

/**
 * Simulates custom calls as the wallet's runner will make them, the transfer of the rest to the destination included.
 * Errors of nodes are rethrown unchanged.
 */
export async function simulateCustomCalls(
  chain: ChainView,
  { wallet, destination, calls, gas, ...leg }: CustomCallsRun,
): Promise<Simulation> {
  const { gasLimit } = await chain.client.getBlock();
  if (gas > gasLimit) return reverted('more gas than a block has');
  const runner = actionRunner(chain.definition.contracts.actionRunnerFactory, wallet);
  const held = { account: runner.address, token: leg.outputToken, amount: leg.minOutput };
  return simulate(chain, async () => ({
    account: wallet,
    to: runner.address,
    data: encodeFunctionData({
      abi: actionRunnerAbi,
      functionName: 'convert',
      args: [{ ...emptyLeg(chain), ...leg }, destination, calls],
    }),
    gas,
    stateOverride: mergeStateOverrides(
      [{ address: runner.address, code: runner.code }],
      await holdingsOverride(chain, [held]),
    ),
  }));
}

/** The runner reads only the tokens. */
const emptyLeg = (chain: ChainView): Leg => ({
  chainId: BigInt(chain.chainId),
  inputToken: ZERO_ADDRESS,
  maxInput: 0n,
  fees: [],
  outputToken: ZERO_ADDRESS,
  minOutput: 0n,
  customCalls: [],
  bridgeAdapter: ZERO_ADDRESS,
  minBridged: 0n,
});

/**
 * Simulates a payout to a destination, which reverts where it needs more gas than a leg has for it. A token whose
 * balances cannot be simulated passes. Errors of nodes are rethrown unchanged.
 */
export async function simulatePayout(
  chain: ChainView,
  payout: { from: Address; token: Address; amount: bigint; destination: Address },
): Promise<Simulation> {
  const { from, token, amount, destination } = payout;
  try {
    const stateOverride = await holdingsOverride(chain, [{ account: from, token, amount }]);
    const call =
      token === ZERO_ADDRESS
        ? { to: destination, value: amount }
        : {
            to: token,
            data: encodeFunctionData({
              abi: erc20Abi,
              functionName: 'transfer',
              args: [destination, amount],
            }),
          };
    return await simulate(
      chain,
      () => ({ account: from, ...call, gas: PAYOUT_GAS, stateOverride }),
      token !== ZERO_ADDRESS,
    );
  } catch (error) {
    if (error instanceof TokenNotOverridableError) return PASSED;
    throw error;
  }
}

async function simulate(
  { client }: ChainView,
  request: () => CallParameters | Promise<CallParameters>,
  isTransfer = false,
): Promise<Simulation> {
  const parameters = await request();
  try {
    const { data } = await client.call(parameters);
    // Tokens may return nothing; a returned value must be true.
    const isRefused = isTransfer && data !== undefined && size(data) > 0 && BigInt(data) !== 1n;
    return isRefused ? reverted('the token returned false') : PASSED;
  } catch (error) {
    if (isNodeFailure(error)) throw error;
    return reverted(revertReasonText(error));
  }
}
