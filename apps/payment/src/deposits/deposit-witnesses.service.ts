import type { Chain, EndpointClient } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { DepositRepository } from './deposit.repository.js';
import type { LargeDeposit } from './deposit.repository.js';
import { testimonyAbout } from './witness.client.js';

const AT_ONCE = 20;

/** Only one node of several reports a fact that would end a payment, or a large deposit: it does not count yet. */
export class UnwitnessedError extends Error {
  constructor(chain: string, fact: string, options: ErrorOptions = {}) {
    super(`no second node of ${chain} confirms ${fact}`, options);
    this.name = 'UnwitnessedError';
  }
}

/** A payment's large deposit that no other node confirms. */
export interface Unwitnessed {
  error: UnwitnessedError;
  /** Block of the deposit, where two other nodes deny it. */
  deniedIn: bigint | null;
}

/** Requires a second node for large deposits, before they count as final. */
@Injectable()
export class DepositWitnessesService {
  constructor(
    private readonly deposits: DepositRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Deposits up to a height that no node but the scanner's confirms, one of each payment. */
  async unwitnessed(
    chain: Chain,
    node: EndpointClient,
    upTo: bigint,
  ): Promise<Map<string, Unwitnessed>> {
    const missing = new Map<string, Unwitnessed>();
    if (chain.endpoints.length === 1) return missing;
    const large = await this.deposits.large(chain.name, upTo, this.config.witnessedDepositUsd);
    for (let start = 0; start < large.length; start += AT_ONCE) {
      const part = large.slice(start, start + AT_ONCE);
      const found = await Promise.all(part.map((deposit) => check(chain, node, deposit)));
      for (const [index, { paymentId }] of part.entries()) {
        const one = found[index] ?? null;
        if (one !== null) missing.set(paymentId, one);
      }
    }
    return missing;
  }
}

async function check(
  chain: Chain,
  node: EndpointClient,
  deposit: LargeDeposit,
): Promise<Unwitnessed | null> {
  const fact = `the deposit ${deposit.transactionHash}`;
  try {
    const testimony = await testimonyAbout(chain, node, deposit);
    if (testimony === 'witnessed') return null;
    const deniedIn = testimony === 'denied' ? deposit.blockNumber : null;
    return { error: new UnwitnessedError(chain.name, fact), deniedIn };
  } catch (cause) {
    return { error: new UnwitnessedError(chain.name, fact, { cause }), deniedIn: null };
  }
}
