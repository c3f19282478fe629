import { minAmount } from '@bascule/amounts';
import { Chains, lastLegIssue, maxFeeOf, mostRefuse } from '@bascule/chain';
import type { ChainView } from '@bascule/chain';
import { invalidRequest, unavailable } from '@bascule/contracts';
import type { MessageIssue, PlannedLeg } from '@bascule/contracts';
import { ServiceContext, withTimeout } from '@bascule/process';
import { parseDeclaration } from '@bascule/solidity';
import type { Declaration } from '@bascule/solidity';
import { dataFeeSeenIn } from '@bascule/transactions';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { expectedLegCall } from './expected-leg-call.js';

const TIMEOUT_MS = 10_000;

/** Larger than the nonce of any key, and as long as the longest. */
const LONG_NONCE = 2n ** 32n - 1n;

/** Simulates what the last leg does with its output, and compares the legs' costs, before the payment is accepted. */
@Injectable()
export class PayoutCheckService {
  constructor(
    private readonly chains: Chains,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /**
   * @throws ServiceError: 400 where the last leg would revert, or gas has become too expensive for the quote; 503 where a
   * chain cannot be read
   */
  async check(terms: PaymentTerms): Promise<void> {
    const declaration = parseDeclaration(terms.declaration);
    const issues = await Promise.all([
      this.issueOf(terms, declaration),
      ...terms.plan.legs.map((leg, index) => this.priceIssueOf(leg, declaration, index)),
    ]);
    const found = issues.flatMap((issue) => issue ?? []);
    if (found.length > 0) throw invalidRequest(...found);
  }

  private async issueOf(
    terms: PaymentTerms,
    { destination, legs }: Declaration,
  ): Promise<MessageIssue | null> {
    const leg = legs.at(-1);
    const chain = leg && this.chains.byChainId(leg.chainId);
    if (!chain) throw unavailable('A chain of the payment is unavailable.');
    const { inputToken, outputToken, minOutput, customCalls: calls } = leg;
    const run = {
      ...{
        wallet: terms.walletAddress as Address,
        destination,
        inputToken,
        outputToken,
        minOutput,
      },
      ...{ calls, gas: BigInt(terms.plan.legs.at(-1)?.gas_limit ?? 0) },
      isPayoutUnchecked: terms.quoteRequest.allow_unsafe_transfer_out === true,
    };
    try {
      return await withTimeout(TIMEOUT_MS, () => lastLegIssue(chain, run));
    } catch (error) {
      this.context.logger.warn({ err: error, chain: chain.name }, 'payout not simulated');
      throw unavailable(`Could not simulate the payout on ${chain.name}. Try again.`);
    }
  }

  /**
   * A leg's gas and data may cost as much as any of its transactions: beyond that the leg would only wait. Most nodes must
   * say so, of two both, as they do when the leg is submitted.
   */
  private async priceIssueOf(
    leg: PlannedLeg,
    declaration: Declaration,
    legIndex: number,
  ): Promise<MessageIssue | null> {
    const { chain: name, gas, gas_cost: repaid } = leg;
    if (gas === undefined || repaid === undefined) return null;
    const chain = this.chains.find(name);
    if (!chain) throw unavailable('A chain of the payment is unavailable.');
    const allowed = this.config.maxCostFactor * BigInt(repaid);
    const isTooDear = async (view: ChainView) => {
      const [price, dataFee] = await Promise.all([
        view.client.getGasPrice(),
        legDataFee(view, leg, declaration, legIndex),
      ]);
      return BigInt(gas) * minAmount(price, maxFeeOf(view)) + dataFee > allowed;
    };
    const isRefused = await withTimeout(TIMEOUT_MS, () => mostRefuse(chain, isTooDear)).catch(
      (error: unknown) => {
        this.context.logger.warn({ err: error, chain: name }, 'gas price not read');
        throw unavailable(`Could not read the gas price of ${name}. Try again.`);
      },
    );
    if (!isRefused) return null;
    const { network } = chain.definition;
    return {
      kind: 'other',
      message: `Gas on ${network} costs more than the quote allows. Request a new quote.`,
    };
  }
}

/** Data fee of a leg's transaction as its submission computes it, before nonce, fees and route are known. */
async function legDataFee(
  view: ChainView,
  leg: PlannedLeg,
  declaration: Declaration,
  legIndex: number,
): Promise<bigint> {
  if (view.definition.dataFeeOracle === undefined) return 0n;
  const { to: target, data } = expectedLegCall(declaration, legIndex, leg);
  const gasLimit = BigInt(leg.gas_limit ?? leg.gas ?? 0);
  const highest = maxFeeOf(view);
  return dataFeeSeenIn(
    view,
    { nonce: LONG_NONCE, target, data, value: 0n, gasLimit },
    { maxFeePerGas: highest, maxPriorityFeePerGas: highest },
  );
}
