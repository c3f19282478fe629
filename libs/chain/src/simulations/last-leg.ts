import type { MessageIssue } from '@bascule/contracts';
import type { Chain } from '../chain.js';
import { secondedRefusal } from '../chain-view.js';
import type { ChainView } from '../chain.js';
import { OUT_OF_GAS_REASON } from './call-failure.js';
import { TokenNotOverridableError } from './holdings-override.js';
import { simulateCustomCalls, simulatePayout } from './simulation.js';
import type { CustomCallsRun, Simulation } from './simulation.js';

/** Use of a last leg's minimum output: its custom calls, or without any the payout. */
export interface LastLegRun extends CustomCallsRun {
  isPayoutUnchecked: boolean;
}

/**
 * Simulates what a last leg does with its minimum output; null where that passes. Two of several nodes must report an
 * issue. Errors of nodes are rethrown unchanged.
 * @throws when nodes disagree about an issue
 */
export const lastLegIssue = (chain: Chain, run: LastLegRun): Promise<MessageIssue | null> =>
  secondedRefusal(
    chain,
    (view) => issueSeenBy(view, run),
    (issue) => issue !== null,
  );

async function issueSeenBy(chain: ChainView, run: LastLegRun): Promise<MessageIssue | null> {
  if (run.calls.length > 0) return customCallsIssue(chain, run);
  if (run.isPayoutUnchecked) return null;
  const payout = {
    from: run.wallet,
    token: run.outputToken,
    amount: run.minOutput,
    destination: run.destination,
  };
  const result = await simulatePayout(chain, payout);
  if (isOutOfGas(result)) {
    const message =
      'The destination needs more gas than a payment pays for. Request a new quote for another destination.';
    return { kind: 'destination', message };
  }
  return issueOf(result, 'destination', 'The destination would refuse the payout');
}

async function customCallsIssue(
  chain: ChainView,
  run: CustomCallsRun,
): Promise<MessageIssue | null> {
  try {
    const result = await simulateCustomCalls(chain, run);
    if (isOutOfGas(result)) {
      const message =
        'The custom actions need more gas than their estimate. Request a new quote with a higher user_estimated_gas.';
      return { kind: 'other', message };
    }
    return issueOf(result, 'other', 'The custom actions would fail');
  } catch (error) {
    if (!(error instanceof TokenNotOverridableError)) throw error;
    const message = 'Custom actions with this output token cannot be simulated.';
    return { kind: 'other', message };
  }
}

const isOutOfGas = (result: Simulation): boolean =>
  result.kind === 'reverted' && result.reason === OUT_OF_GAS_REASON;

const issueOf = (
  result: Simulation,
  kind: 'destination' | 'other',
  message: string,
): MessageIssue | null =>
  result.kind === 'passed' ? null : { kind, message: `${message}: ${result.reason}.` };
