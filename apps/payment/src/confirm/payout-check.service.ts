import { Chains, lastLegIssue } from '@bascule/chain';
import { invalidRequest, unavailable } from '@bascule/contracts';
import type { MessageIssue } from '@bascule/contracts';
import { ServiceContext, withTimeout } from '@bascule/process';
import { parseDeclaration } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { PaymentTerms } from '../life-cycle/payment-record.js';

const TIMEOUT_MS = 10_000;

/** Simulates what the last leg does with its output, before the payment is accepted. */
@Injectable()
export class PayoutCheckService {
  constructor(
    private readonly chains: Chains,
    private readonly context: ServiceContext,
  ) {}

  /** @throws ServiceError: 400 where the last leg would revert, 503 where its chain cannot be read */
  async check(terms: PaymentTerms): Promise<void> {
    const issue = await this.issueOf(terms);
    if (issue !== null) throw invalidRequest(issue);
  }

  private async issueOf(terms: PaymentTerms): Promise<MessageIssue | null> {
    const { destination, legs } = parseDeclaration(terms.declaration);
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
}
