import type { Chain } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { DepositRepository } from './deposit.repository.js';
import { testimonyAbout, testimonyAboutBalance, testimonyAboutRise } from './witness.client.js';

const AT_ONCE = 20;

/** Only one node of several reports a fact that would end a payment, or a large deposit: it does not count yet. */
export class UnwitnessedError extends Error {
  constructor(
    chain: string,
    fact: string,
    /** Block of the deposit, where two nodes deny it. */
    readonly deniedIn: bigint | null = null,
  ) {
    super(`no second node of ${chain} confirms ${fact}`);
    this.name = 'UnwitnessedError';
  }
}

/** Requires two nodes for payments whose deposits are large in sum, before these count as final. */
@Injectable()
export class DepositWitnessesService {
  constructor(
    private readonly deposits: DepositRepository,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /**
   * Whether a payment's unconfirmed deposits up to a height need two nodes, together with confirmed ones of one node. Belongs
   * into the transaction that would confirm them, which holds the payment from then on.
   */
  async areNeeded(
    manager: EntityManager,
    chain: Pick<Chain, 'name' | 'endpoints'>,
    paymentId: string,
    upTo: bigint,
  ): Promise<boolean> {
    if (chain.endpoints.length === 1) return false;
    const usd = this.config.witnessedDepositUsd;
    return this.deposits.isLarge(manager, { paymentId, chain: chain.name, upTo, usd });
  }

  /**
   * Asks the nodes about a payment's unconfirmed deposits up to a height: about each that is told apart, about the rise of
   * the balance for native currency within calls, and about the balance for those that are only summed.
   * @returns ids of the deposits that were asked about; none where a single node is configured, whose word is enough
   * @throws UnwitnessedError
   */
  async require(chain: Chain, paymentId: string, upTo: bigint): Promise<string[]> {
    if (chain.endpoints.length === 1) return [];
    const { ids, single, rises, summed } = await this.deposits.unwitnessed(
      paymentId,
      chain.name,
      upTo,
    );
    for (let start = 0; start < single.length; start += AT_ONCE) {
      await Promise.all(
        single.slice(start, start + AT_ONCE).map(async (deposit) => {
          const testimony = await testimonyAbout(chain, deposit);
          if (testimony === 'witnessed') return;
          const deniedIn = testimony === 'denied' ? deposit.blockNumber : null;
          throw new UnwitnessedError(
            chain.name,
            `the deposit ${deposit.transactionHash}`,
            deniedIn,
          );
        }),
      );
    }
    for (const { rise, held } of rises) {
      const testimony = await testimonyAboutRise(chain, rise, held, upTo);
      if (testimony === 'witnessed') continue;
      const deniedIn = testimony === 'denied' ? rise.blockNumber : null;
      throw new UnwitnessedError(chain.name, `the deposits in block ${rise.blockHash}`, deniedIn);
    }
    for (const holding of summed) {
      if ((await testimonyAboutBalance(chain, holding, upTo)) !== 'witnessed') {
        throw new UnwitnessedError(chain.name, `deposits of ${holding.token}`);
      }
    }
    return ids;
  }
}
