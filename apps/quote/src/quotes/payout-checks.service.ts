import { Chains, lastLegIssue } from '@bascule/chain';
import type { Chain, LastLegRun } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { PaymentPlan, PlannedLeg, Quote, QuoteRequest } from '@bascule/contracts';
import { ServiceContext, TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { getAddress, keccak256, slice, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { customGas } from '../pricing/custom-actions.js';
import { RequestCache } from '../routes/request-cache.js';
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
    const simulations = new RequestCache<TimedFailure | null>();
    const results = await Promise.all(
      planned.map(async (each) => {
        const simulation = simulationOf(each.plan.legs.at(-1), request);
        const failure = await simulations.get(simulation, () => this.failureOf(each, request));
        return { each, failure };
      }),
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
    const run = lastLegRun(planned.quote.payment_id, leg, request);
    const failure = await this.simulate(this.chains.get(leg.chain), run);
    return failure && { failure, latencyMs: performance.now() - startedAt };
  }

  private async simulate(chain: Chain, run: LastLegRun): Promise<RouteFailure | null> {
    try {
      const issue = await withTimeout(this.config.chainTimeoutMs, () => lastLegIssue(chain, run));
      return issue && new RouteFailure([chain.name], [issue]);
    } catch (error) {
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
}

/** Equal for last legs whose simulations have equal outcomes: stand-ins for wallets differ in nothing. */
function simulationOf(leg: PlannedLeg | undefined, { request }: QuoteRequest): string[] {
  if (leg === undefined) return [];
  const { chain, input_token: input, output_token: output, min_output: least } = leg;
  const isCustom = (request.custom_actions?.actions.length ?? 0) > 0;
  return [chain, isCustom ? input : '', output, least];
}

function lastLegRun(
  paymentId: string,
  leg: PlannedLeg,
  { request, allow_unsafe_transfer_out }: QuoteRequest,
): LastLegRun {
  const { custom_actions: custom, dest_address: destination } = request;
  const wallet = standIn(paymentId);
  return {
    wallet,
    // Without a destination, an account that accepts everything stands in for it.
    destination: destination === undefined ? wallet : addressOf(destination),
    inputToken: parseTokenIdentifier(leg.input_token).address,
    outputToken: parseTokenIdentifier(leg.output_token).address,
    minOutput: BigInt(leg.min_output),
    calls: (custom?.actions ?? []).map(({ target, calldata, value }) => ({
      target: addressOf(target),
      data: calldata as Hex,
      value: BigInt(value),
    })),
    gas: customGas(custom ?? null),
    isPayoutUnchecked: destination === undefined || allow_unsafe_transfer_out === true,
  };
}

/** Account in place of the wallet, whose address the confirmation decides. */
const standIn = (paymentId: string): Address => getAddress(slice(keccak256(toHex(paymentId)), 12));

const addressOf = (text: string): Address => getAddress(text.toLowerCase());
