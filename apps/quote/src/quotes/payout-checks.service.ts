import {
  Chains,
  simulateCustomCalls,
  simulatePayout,
  TokenNotOverridableError,
} from '@bascule/chain';
import type { Chain, Simulation } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { Issue, PaymentPlan, PlannedLeg, Quote, QuoteRequest } from '@bascule/contracts';
import { ServiceContext, TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { getAddress, keccak256, slice, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { customGas } from '../pricing/custom-actions.js';
import {
  ChainUnavailableFailure,
  RouteFailure,
  type TimedFailure,
} from '../routes/route-failure.js';

interface Planned {
  quote: Pick<Quote, 'payment_id'>;
  plan: PaymentPlan;
}

interface CheckedQuotes<T extends Planned> {
  passed: T[];
  failures: TimedFailure[];
}

/** Simulates what the last leg does with its output: custom actions, or the payout. */
@Injectable()
export class PayoutChecksService {
  constructor(
    private readonly chains: Chains,
    private readonly context: ServiceContext,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** Drops quotes whose last leg would revert, or whose chain cannot be read. */
  async check<T extends Planned>(
    planned: readonly T[],
    request: QuoteRequest,
  ): Promise<CheckedQuotes<T>> {
    const simulations = new Map<string, Promise<TimedFailure | null>>();
    const simulateOnce = (each: T): Promise<TimedFailure | null> => {
      const key = simulationKey(each.plan.legs.at(-1), request);
      const simulation = simulations.get(key) ?? this.failureOf(each, request);
      simulations.set(key, simulation);
      return simulation;
    };
    const results = await Promise.all(
      planned.map(async (each) => ({ each, failure: await simulateOnce(each) })),
    );
    return {
      passed: results.flatMap(({ each, failure }) => (failure === null ? [each] : [])),
      failures: results.flatMap(({ failure }) => failure ?? []),
    };
  }

  private async failureOf(planned: Planned, request: QuoteRequest): Promise<TimedFailure | null> {
    const leg = planned.plan.legs.at(-1);
    if (leg === undefined) return null;
    const startedAt = performance.now();
    const chain = this.chains.get(leg.chain);
    const failure = await this.simulate(chain, { planned, leg, request }).catch((error: unknown) =>
      this.failureOfNode(chain, error),
    );
    return failure && { failure, latencyMs: performance.now() - startedAt };
  }

  private simulate(
    chain: Chain,
    o: { planned: Planned; leg: PlannedLeg; request: QuoteRequest },
  ): Promise<RouteFailure | null> {
    return withTimeout(this.config.chainTimeoutMs, async () => {
      const issue = await issueOf(chain, o);
      return issue && new RouteFailure([chain.name], [issue]);
    });
  }

  private failureOfNode(chain: Chain, error: unknown): RouteFailure {
    if (error instanceof TokenNotOverridableError) {
      const message = 'Custom actions with this output token cannot be simulated.';
      return new RouteFailure([chain.name], [{ kind: 'other', message }], { cause: error });
    }
    const message =
      error instanceof TimeoutError
        ? `${chain.name} timed out.`
        : `Could not simulate the payout on ${chain.name}.`;
    this.context.logger.warn({ err: error, chain: chain.name }, 'payout not simulated');
    return new ChainUnavailableFailure([chain.name], [{ kind: 'other', message }], {
      cause: error,
    });
  }
}

/** Equal for last legs whose simulations have equal outcomes: stand-ins for wallets differ in nothing. */
function simulationKey(leg: PlannedLeg | undefined, { request }: QuoteRequest): string {
  const inputToken = (request.custom_actions?.actions.length ?? 0) > 0 ? leg?.input_token : null;
  return JSON.stringify([leg?.chain, inputToken, leg?.output_token, leg?.min_output]);
}

async function issueOf(
  chain: Chain,
  { planned, leg, request }: { planned: Planned; leg: PlannedLeg; request: QuoteRequest },
): Promise<Issue | null> {
  const { custom_actions: custom, dest_address: destination } = request.request;
  const wallet = standIn(planned.quote.payment_id);
  const outputToken = parseTokenIdentifier(leg.output_token).address;
  const minOutput = BigInt(leg.min_output);
  if (custom !== undefined && custom.actions.length > 0) {
    const result = await simulateCustomCalls(chain, {
      wallet,
      // Without a destination, an account that accepts everything stands in for it.
      destination: destination === undefined ? wallet : addressOf(destination),
      inputToken: parseTokenIdentifier(leg.input_token).address,
      outputToken,
      minOutput,
      calls: custom.actions.map(({ target, calldata, value }) => ({
        target: addressOf(target),
        data: calldata as Hex,
        value: BigInt(value),
      })),
      gas: customGas(custom),
    });
    return issueFor(result, 'other', 'The custom actions would fail');
  }
  if (destination === undefined || request.allow_unsafe_transfer_out === true) return null;
  const payout = {
    from: wallet,
    token: outputToken,
    amount: minOutput,
    destination: addressOf(destination),
  };
  const result = await simulatePayout(chain, payout);
  return issueFor(result, 'destination', 'The destination would refuse the payout');
}

const issueFor = (
  result: Simulation,
  kind: 'other' | 'destination',
  message: string,
): Issue | null =>
  result.kind === 'passed' ? null : { kind, message: `${message}: ${result.reason}.` };

/** Account in place of the wallet, whose address the confirmation decides. */
const standIn = (paymentId: string): Address => getAddress(slice(keccak256(toHex(paymentId)), 12));

const addressOf = (text: string): Address => getAddress(text.toLowerCase());
