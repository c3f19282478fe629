import { feesFor, maxFeeOf } from '@bascule/chain';
import type { Chain, TransactionFees } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { PrivateKeyAccount } from 'viem/accounts';
import { AttemptLog } from './attempt-log.js';
import { boundedFees, highestFee, presentPrice } from './bounded-fees.js';
import { Broadcaster } from './broadcaster.js';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import { replacementFees } from './replacement-fees.js';
import { contentOf, dataFeeFor, signAttempt } from './signed-attempt.js';
import type { TransactionContent } from './signed-attempt.js';
import { Signers } from './signers.js';
import { TransactionMetrics } from './transaction-metrics.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

/** Whether a node has ever accepted an attempt: until then no node expects higher fees, and lower ones are valid. */
export const wasAccepted = (attempts: readonly StoredAttempt[]): boolean =>
  attempts.some(({ broadcastAgeMs }) => broadcastAgeMs !== null);

/** Records further attempts of a transaction with the same nonce, then sends them. */
@Injectable()
export class Replacer {
  constructor(
    private readonly attempts: AttemptLog,
    private readonly signers: Signers,
    private readonly broadcaster: Broadcaster,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
  ) {}

  async replace(
    chain: Chain,
    transaction: StoredTransaction,
    attempts: readonly StoredAttempt[],
    purpose: AttemptPurpose,
  ): Promise<void> {
    const { logger } = this.context;
    const about = { chain: chain.name, reference: transaction.reference };
    const account = this.signers.find(chain.name, transaction.signer);
    if (!account) {
      logger.warn(
        { ...about, signer: transaction.signer },
        'could not replace transaction: no key for its signer',
      );
      return;
    }
    const [newest] = attempts;
    if (!newest) throw new Error(`${transaction.reference} has no attempt`);
    const market = await feesFor(chain);
    const known = { chain, account, transaction, attempts, newest, market };
    const next =
      (await this.attemptOf(known, purpose)) ??
      // Over its bound, it would hold up later transactions and the caller's deadline.
      (isOverBound(known) ? await this.attemptOf(known, 'cancellation') : null);
    if (!next) {
      logger.warn(about, 'transaction not replaced: fees at the ceiling');
      return;
    }
    const attempt = await signAttempt(account, chain, next.purpose, next.content, next.fees);
    const number = newest.number + 1;
    if (!(await this.attempts.replaced(transaction, number, attempt))) return;
    this.metrics.replaced.inc({ chain: chain.name, purpose: next.purpose });
    logger.info(
      { ...about, purpose: next.purpose, number, hash: attempt.hash },
      'transaction replaced',
    );
    await this.broadcaster.send(chain, { ...attempt, number, broadcastAgeMs: null });
  }
  /** Null where its fees would exceed the ceiling or the transaction's bound. */
  private async attemptOf(known: Known, purpose: AttemptPurpose): Promise<NextAttempt | null> {
    const { chain, account, transaction, attempts, newest, market } = known;
    const content = await contentOf(chain, account, purpose, transaction);
    const dataFee = await dataFeeFor(chain, content, market);
    const bound = { gasLimit: content.gasLimit, dataFee, maxCost: transaction.maxCost };
    const affordable = boundedFees(market, bound);
    const highest = highestFee(bound, maxFeeOf(chain));
    if (affordable === null || highest === null) return null;
    const fees = wasAccepted(attempts) ? replacementFees(newest, affordable, highest) : affordable;
    return fees && { purpose, content, fees };
  }
}

interface Known {
  chain: Chain;
  account: PrivateKeyAccount;
  transaction: StoredTransaction;
  attempts: readonly StoredAttempt[];
  newest: StoredAttempt;
  market: TransactionFees;
}

interface NextAttempt {
  purpose: AttemptPurpose;
  content: TransactionContent;
  fees: TransactionFees;
}

/** Whether a transaction with a bound waits for cheaper gas. */
const isOverBound = ({ transaction, newest, market }: Known): boolean =>
  transaction.maxCost !== null && presentPrice(market) > newest.maxFeePerGas;
