import type { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { AttemptLog } from './attempt-log.js';
import { Broadcaster } from './broadcaster.js';
import { nextAttempt } from './next-attempt.js';
import type { Wanted } from './next-attempt.js';
import { Signing } from './signing.js';
import { TransactionMetrics } from './transaction-metrics.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

/** Records further attempts of a transaction with the same nonce, then sends them. */
@Injectable()
export class Replacer {
  constructor(
    private readonly attempts: AttemptLog,
    private readonly signing: Signing,
    private readonly broadcaster: Broadcaster,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
  ) {}

  /** @throws UnsignedError */
  async replace(
    chain: Chain,
    transaction: StoredTransaction,
    attempts: readonly StoredAttempt[],
    wanted: Wanted,
  ): Promise<void> {
    const { logger } = this.context;
    const about = { chain: chain.name, reference: transaction.reference };
    const account = this.signing.accountOf(chain.name, transaction.signer);
    const [newest] = attempts;
    if (!newest) throw new Error(`${transaction.reference} has no attempt`);
    const next = await nextAttempt(chain, transaction, attempts, wanted);
    if (!next) {
      logger.warn(about, 'transaction not replaced: fees at the ceiling');
      return;
    }
    const attempt = await this.signing.sign(chain, account, next);
    const number = newest.number + 1;
    if (!(await this.attempts.replaced(transaction, number, attempt))) return;
    this.metrics.replaced.inc({ chain: chain.name, purpose: next.purpose });
    logger.info(
      { ...about, purpose: next.purpose, number, hash: attempt.hash },
      'transaction replaced',
    );
    const fresh = { ...attempt, number, ageMs: 0, broadcastAgeMs: null };
    await this.broadcaster.send(chain, transaction, fresh);
  }
}
