import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { heldOf } from '../life-cycle/wallet-ledger.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { DepositRepository } from './deposit.repository.js';
import { UnwitnessedDepositsRepository } from './unwitnessed-deposits.repository.js';
import { testimonyAbout, testimonyAboutBlock, testimonyAboutRise } from './witness.client.js';

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
    private readonly unwitnessed: UnwitnessedDepositsRepository,
    private readonly payments: PaymentReaderRepository,
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
    return this.unwitnessed.areLarge(manager, { paymentId, chain: chain.name, upTo, usd });
  }

  /**
   * Asks the nodes about a payment's unconfirmed deposits up to a height: about each that is told apart, about the most
   * valuable blocks of those that are only summed, and about the rise of the balance for native currency within calls.
   * @returns ids of the deposits that were asked about; none where a single node is configured, whose word is enough
   * @throws UnwitnessedError
   */
  async require(chain: Chain, paymentId: string, upTo: bigint): Promise<string[]> {
    if (chain.endpoints.length === 1) return [];
    const { single, summed, rises, unconfirmedNative } = await this.unwitnessed.find(
      paymentId,
      chain.name,
      upTo,
    );
    const requireOf = (testimony: Testimony, fact: string, block: bigint): void => {
      if (testimony === 'witnessed') return;
      throw new UnwitnessedError(chain.name, fact, testimony === 'denied' ? block : null);
    };
    for (let start = 0; start < single.length; start += AT_ONCE) {
      await Promise.all(
        single.slice(start, start + AT_ONCE).map(async (deposit) => {
          const testimony = await testimonyAbout(chain, deposit);
          requireOf(testimony, `the deposit ${deposit.transactionHash}`, deposit.blockNumber);
        }),
      );
    }
    // One after the other: each block may be large.
    for (const block of summed) {
      const testimony = await testimonyAboutBlock(chain, block, this.deposits);
      requireOf(testimony, `the deposits in block ${block.hash}`, block.number);
    }
    if (rises.length > 0) {
      const held = (await this.confirmedNative(paymentId, chain.name)) + unconfirmedNative;
      for (const rise of rises) {
        const testimony = await testimonyAboutRise(chain, rise, { held, height: upTo });
        requireOf(testimony, `the deposits in block ${rise.blockHash}`, rise.blockNumber);
      }
    }
    return [single, ...summed.map(({ transfers }) => transfers)]
      .flatMap((deposits) => deposits.map(({ id }) => id))
      .concat(rises.flatMap(({ ids }) => ids));
  }

  /** Native currency that the wallet holds by final facts, in smallest units. */
  private async confirmedNative(paymentId: string, chain: string): Promise<bigint> {
    const found = await this.payments.find(paymentId);
    return found === null ? 0n : heldOf(found.payment, tokenIdentifier(chain, ZERO_ADDRESS));
  }
}

type Testimony = Awaited<ReturnType<typeof testimonyAbout>>;
