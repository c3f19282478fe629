import { feesFor, maxFeeOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { AttemptLog } from './attempt-log.js';
import { Broadcaster } from './broadcaster.js';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import { replacementFees } from './replacement-fees.js';
import { signAttempt } from './signed-attempt.js';
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
    const fees = wasAccepted(attempts) ? replacementFees(newest, market, maxFeeOf(chain)) : market;
    if (!fees) {
      logger.warn(about, 'transaction not replaced: fees at the ceiling');
      return;
    }
    const attempt = await signAttempt(account, chain, purpose, transaction, fees);
    const number = newest.number + 1;
    if (!(await this.attempts.replaced(transaction, number, attempt))) return;
    this.metrics.replaced.inc({ chain: chain.name, purpose });
    logger.info({ ...about, purpose, number, hash: attempt.hash }, 'transaction replaced');
    await this.broadcaster.send(chain, { ...attempt, number, broadcastAgeMs: null });
  }
}
