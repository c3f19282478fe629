import {
  Chains,
  simulateCustomCalls,
  simulatePayout,
  TokenNotOverridableError,
} from '@bascule/chain';
import type { Chain, Simulation } from '@bascule/chain';
import { invalidRequest, ServiceError, unavailable } from '@bascule/contracts';
import { ServiceContext, withTimeout } from '@bascule/process';
import { parseDeclaration } from '@bascule/solidity';
import type { Declaration, Leg } from '@bascule/solidity';
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
    const declaration = parseDeclaration(terms.declaration);
    const leg = declaration.legs.at(-1);
    const chain = leg && this.chains.byChainId(leg.chainId);
    if (!chain) throw unavailable('A chain of the payment is unavailable.');
    try {
      await withTimeout(TIMEOUT_MS, () => refuseReverting(chain, { terms, declaration, leg }));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.context.logger.warn({ err: error, chain: chain.name }, 'payout not simulated');
      throw unavailable(`Could not simulate the payout on ${chain.name}. Try again.`);
    }
  }
}

interface LastLeg {
  terms: PaymentTerms;
  declaration: Declaration;
  leg: Leg;
}

async function refuseReverting(chain: Chain, last: LastLeg): Promise<void> {
  if (last.leg.customCalls.length > 0) {
    refuse(await customCalls(chain, last), 'other', 'The custom actions would fail');
  } else if (last.terms.quoteRequest.allow_unsafe_transfer_out !== true) {
    refuse(await payout(chain, last), 'destination', 'The destination would refuse the payout');
  }
}

function customCalls(chain: Chain, { terms, declaration, leg }: LastLeg): Promise<Simulation> {
  return simulateCustomCalls(chain, {
    wallet: terms.walletAddress as Address,
    destination: declaration.destination,
    inputToken: leg.inputToken,
    outputToken: leg.outputToken,
    minOutput: leg.minOutput,
    calls: leg.customCalls,
    gas: BigInt(terms.plan.legs.at(-1)?.gas_limit ?? 0),
  }).catch((error: unknown) => {
    if (!(error instanceof TokenNotOverridableError)) throw error;
    return { kind: 'reverted', reason: 'the output token cannot be simulated' };
  });
}

const payout = (chain: Chain, { terms, declaration, leg }: LastLeg): Promise<Simulation> =>
  simulatePayout(chain, {
    from: terms.walletAddress as Address,
    token: leg.outputToken,
    amount: leg.minOutput,
    destination: declaration.destination,
  });

function refuse(result: Simulation, kind: 'other' | 'destination', message: string): void {
  if (result.kind === 'passed') return;
  throw invalidRequest({ kind, message: `${message}: ${result.reason}.` });
}
