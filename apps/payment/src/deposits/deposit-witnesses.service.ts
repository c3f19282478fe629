import { ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { heldOf } from '../life-cycle/wallet-ledger.js';
import { lockPayment } from '../persistence/payment-lock.repository.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { DepositRepository } from './deposit.repository.js';
import { UnwitnessedDepositsRepository } from './unwitnessed-deposits.repository.js';
import type { Unwitnessed } from './unwitnessed-deposits.repository.js';
import { testimonyAbout, testimonyAboutTransfers, testimonyAboutRise } from './witness.client.js';

/** Deposits that nodes are asked about at once, each by its receipt. */
const AT_ONCE = 20;
/** Time after which no further question begins. */
const TURN_MS = 30_000;

type Testimony = Awaited<ReturnType<typeof testimonyAbout>>;

/** A question to the nodes about deposits of one block. */
interface Question {
  ids: readonly string[];
  block: bigint;
  fact: string;
  ask: () => Promise<Testimony>;
}

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
    await lockPayment(manager, paymentId);
    return this.unwitnessed.areLarge(this.limitOf(chain, paymentId, upTo), manager);
  }

  /**
   * Asks the nodes about a payment's unconfirmed deposits up to a height until the rest needs no second node, or for half a
   * minute, and marks those that two nodes have: first those that are told apart, then native currency of blocks with calls,
   * then the most valuable blocks of summed ones. Nodes are asked on where they do not agree about a deposit.
   * @throws UnwitnessedError where two nodes deny a deposit, or none could be marked
   */
  async require(chain: Chain, paymentId: string, upTo: bigint): Promise<void> {
    if (chain.endpoints.length === 1) return;
    const limit = this.limitOf(chain, paymentId, upTo);
    if (!(await this.unwitnessed.areLarge(limit))) return;
    const ends = performance.now() + TURN_MS;
    let isAnyMarked = false;
    let failure: Error | undefined;
    for (const questions of await this.questionsAbout(chain, paymentId, upTo)) {
      const answers = await Promise.allSettled(questions.map((it) => requireTestimony(chain, it)));
      const witnessed = answers.flatMap((it) => (it.status === 'fulfilled' ? it.value : []));
      const failures = answers.flatMap((it) =>
        it.status === 'rejected' ? [it.reason as Error] : [],
      );
      await this.unwitnessed.markWitnessed(witnessed);
      isAnyMarked ||= witnessed.length > 0;
      failure ??= failures[0];
      const denial = failures.find((it) => it instanceof UnwitnessedError && it.deniedIn !== null);
      if (denial !== undefined) throw denial;
      if (!(await this.unwitnessed.areLarge(limit))) return;
      if (performance.now() > ends) break;
    }
    if (!isAnyMarked && failure !== undefined) throw failure;
  }

  /** Questions about deposits, in groups that are asked at once. */
  private async questionsAbout(
    chain: Chain,
    paymentId: string,
    upTo: bigint,
  ): Promise<Question[][]> {
    const { single, summed, rises, native } = await this.unwitnessed.find(
      paymentId,
      chain.name,
      upTo,
    );
    const receipts = single.map((deposit): Question => {
      const { id, blockNumber: block, transactionHash } = deposit;
      const ask = () => testimonyAbout(chain, deposit);
      return { ids: [id], block, fact: `the deposit ${transactionHash}`, ask };
    });
    const groups: Question[][] = [];
    for (let start = 0; start < receipts.length; start += AT_ONCE) {
      groups.push(receipts.slice(start, start + AT_ONCE));
    }
    const held = rises.length === 0 ? 0n : await this.heldNative(paymentId, chain.name, native);
    for (const { ids, rise, plain } of rises) {
      const ask = async () => {
        const testimony = await testimonyAboutRise(chain, rise, { held, height: upTo });
        if (testimony !== 'witnessed' || plain === null) return testimony;
        return testimonyAboutTransfers(chain, plain, this.deposits);
      };
      const fact = `the deposits in block ${rise.blockHash}`;
      groups.push([{ ids, block: rise.blockNumber, fact, ask }]);
    }
    for (const block of summed) {
      const ids = block.transfers.map(({ id }) => id);
      const ask = () => testimonyAboutTransfers(chain, block, this.deposits);
      groups.push([{ ids, block: block.number, fact: `the deposits in block ${block.hash}`, ask }]);
    }
    return groups;
  }

  /** Native currency that the wallet holds by facts that no single node has told, and by those in question. */
  private async heldNative(
    paymentId: string,
    chain: string,
    { unconfirmed, confirmed }: Unwitnessed['native'],
  ): Promise<bigint> {
    const found = await this.payments.find(paymentId);
    const final = found === null ? 0n : heldOf(found.payment, tokenIdentifier(chain, ZERO_ADDRESS));
    return final - confirmed + unconfirmed;
  }

  private limitOf({ name: chain }: Pick<Chain, 'name'>, paymentId: string, upTo: bigint) {
    return { paymentId, chain, upTo, usd: this.config.witnessedDepositUsd };
  }
}

/**
 * Returns the ids of the deposits.
 * @throws UnwitnessedError
 */
async function requireTestimony(
  { name }: Pick<Chain, 'name'>,
  { ids, block, fact, ask }: Question,
): Promise<readonly string[]> {
  const testimony = await ask();
  if (testimony === 'witnessed') return ids;
  throw new UnwitnessedError(name, fact, testimony === 'denied' ? block : null);
}
