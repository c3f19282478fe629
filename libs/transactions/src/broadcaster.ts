import type { Chain } from '@bascule/chain';
import { ServiceContext, faultPoint, withSpan } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { BaseError } from 'viem';
import { classifyRefusal } from './broadcast-refusal.js';
import type { BroadcastRefusal } from './broadcast-refusal.js';
import { AttemptLog } from './attempt-log.js';
import { TransactionMetrics } from './transaction-metrics.js';
import type { StoredAttempt } from './transaction-store.js';

/** `accepted` by at least one node, or the reason of the refusal. */
export type BroadcastResult = 'accepted' | Exclude<BroadcastRefusal, 'known'>;

/** Refusals by relevance for the next step, for chains with several nodes. */
const BY_WEIGHT: readonly Exclude<BroadcastRefusal, 'known'>[] = [
  'nonce_used',
  'underpriced',
  'unfunded',
  'unclear',
  'invalid',
];

function refusalOf(error: unknown): BroadcastRefusal {
  if (error instanceof BaseError) {
    return classifyRefusal([error.shortMessage, error.details, error.message].join(' '));
  }
  return 'unclear';
}

/** Sends signed bytes to every node of a chain; idempotent. */
@Injectable()
export class Broadcaster {
  constructor(
    private readonly attempts: AttemptLog,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
  ) {}

  async send(chain: Chain, attempt: StoredAttempt): Promise<BroadcastResult> {
    // Rebroadcasts would only add noise to the trace.
    if (attempt.broadcastAgeMs !== null) return this.sendToAll(chain, attempt);
    const about = { 'bascule.chain': chain.name, 'bascule.transaction.hash': attempt.hash };
    return withSpan('broadcast transaction', about, () => this.sendToAll(chain, attempt), 'client');
  }

  private async sendToAll(chain: Chain, attempt: StoredAttempt): Promise<BroadcastResult> {
    const isFirst = attempt.broadcastAgeMs === null;
    if (isFirst) faultPoint('transactions.recorded');
    const sends = chain.endpoints.map((endpoint) =>
      endpoint
        .sendRawTransaction({ serializedTransaction: attempt.rawTransaction })
        .catch((error: unknown) => {
          if (refusalOf(error) !== 'known') throw error;
        }),
    );
    try {
      await Promise.any(sends);
    } catch (error) {
      return this.refused(chain, attempt, error instanceof AggregateError ? error.errors : [error]);
    }
    if (isFirst) {
      await this.attempts.broadcast(attempt.hash);
      faultPoint('transactions.broadcast');
      this.context.logger.info({ chain: chain.name, hash: attempt.hash }, 'transaction broadcast');
    }
    return 'accepted';
  }

  private refused(chain: Chain, attempt: StoredAttempt, errors: unknown[]): BroadcastResult {
    const refusals = errors.map(refusalOf);
    const result = BY_WEIGHT.find((refusal) => refusals.includes(refusal)) ?? 'unclear';
    if (result === 'nonce_used') return result;
    this.metrics.refused.inc({ chain: chain.name, reason: result });
    this.context.logger.warn(
      { err: errors[0], chain: chain.name, hash: attempt.hash, result },
      'transaction refused by every node',
    );
    return result;
  }
}
