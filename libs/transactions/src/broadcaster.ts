import { settleWithGrace } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext, faultPoint, withSpan, withTimeout } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { BaseError } from 'viem';
import { classifyRefusal } from './broadcast-refusal.js';
import type { BroadcastRefusal } from './broadcast-refusal.js';
import { AttemptLog } from './attempt-log.js';
import { TransactionMetrics } from './transaction-metrics.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

/** `accepted` by a node, `disputed` where as many refuse it as invalid, or the reason of the refusal. */
export type BroadcastResult = 'accepted' | 'disputed' | Exclude<BroadcastRefusal, 'known'>;

/** Wait for other nodes after one has accepted. */
const STRAGGLER_MS = 250;
/** Wait for other nodes where those that answered contradict each other. */
const CONTRADICTION_MS = 3_000;
/** Longest wait for a private endpoint: the time that one hangs is taken from all transactions of the chain. */
const PRIVATE_WAIT_MS = 2_000;
/** Nodes that are believed that a transaction is invalid, though another one accepts it. */
const WITNESSES = 2;

/** Refusals by relevance for the next step, for chains with several nodes. */
const BY_WEIGHT: readonly Exclude<BroadcastRefusal, 'known'>[] = [
  'underpriced',
  'unfunded',
  'nonce_used',
  'unclear',
  'invalid',
];

const heaviest = (refusals: readonly BroadcastRefusal[]): BroadcastResult =>
  BY_WEIGHT.find((refusal) => refusals.includes(refusal)) ?? 'unclear';

function refusalOf(error: unknown): BroadcastRefusal {
  if (error instanceof BaseError) {
    return classifyRefusal([error.shortMessage, error.details, error.message].join(' '));
  }
  return 'unclear';
}

const countInvalid = (errors: readonly unknown[]): number =>
  errors.filter((error) => refusalOf(error) === 'invalid').length;

type Visibility = Pick<StoredTransaction, 'isPrivate'>;

/** Whether only private endpoints get it. A cancellation has nothing to hide. */
const isHidden = (chain: Chain, { isPrivate }: Visibility, { purpose }: StoredAttempt): boolean =>
  isPrivate && purpose === 'payload' && chain.privateEndpoints.length > 0;

const sendsTo = (endpoints: readonly EndpointClient[], { rawTransaction }: StoredAttempt) =>
  endpoints.map((endpoint) =>
    endpoint
      .sendRawTransaction({ serializedTransaction: rawTransaction })
      .catch((error: unknown) => {
        if (refusalOf(error) !== 'known') throw error;
      }),
  );

/** Sends signed bytes to every node of a chain, or to its private endpoints alone; idempotent. */
@Injectable()
export class Broadcaster {
  constructor(
    private readonly attempts: AttemptLog,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
  ) {}

  async send(
    chain: Chain,
    transaction: Visibility,
    attempt: StoredAttempt,
  ): Promise<BroadcastResult> {
    const sent = () =>
      isHidden(chain, transaction, attempt)
        ? this.sendPrivately(chain, attempt)
        : this.sendToAll(chain, attempt);
    // Rebroadcasts would only add noise to the trace.
    if (attempt.broadcastAgeMs !== null) return sent();
    const about = { 'bascule.chain': chain.name, 'bascule.transaction.hash': attempt.hash };
    return withSpan('broadcast transaction', about, sent, 'client');
  }

  /** A private endpoint's refusal decides nothing: the transaction is public later. */
  private async sendPrivately(chain: Chain, attempt: StoredAttempt): Promise<BroadcastResult> {
    this.beforeFirst(attempt);
    const sends = sendsTo(chain.privateEndpoints, attempt).map((sent) =>
      withTimeout(PRIVATE_WAIT_MS, sent),
    );
    const { values: accepted, reasons } = await settleWithGrace(sends, STRAGGLER_MS);
    if (accepted.length > 0) {
      await this.noteAcceptance(chain, attempt, 'transaction sent privately');
      return 'accepted';
    }
    this.noteRefusal(chain, attempt, 'private', reasons);
    return 'unclear';
  }

  private async sendToAll(chain: Chain, attempt: StoredAttempt): Promise<BroadcastResult> {
    this.beforeFirst(attempt);
    const sends = sendsTo(chain.endpoints, attempt);
    let { values: accepted, reasons } = await settleWithGrace(sends, STRAGGLER_MS);
    if (accepted.length > 0 && countInvalid(reasons) > 0) {
      ({ values: accepted, reasons } = await settleWithGrace(sends, CONTRADICTION_MS));
    }
    const refusals = reasons.map(refusalOf);
    const invalid = countInvalid(reasons);
    const isInvalid = invalid >= WITNESSES && invalid > (accepted.length + refusals.length) / 2;
    if (isInvalid || accepted.length === 0) {
      const result = isInvalid ? 'invalid' : heaviest(refusals);
      this.noteRefusal(chain, attempt, result, reasons);
      return result;
    }
    await this.noteAcceptance(chain, attempt, 'transaction broadcast');
    return invalid >= accepted.length ? 'disputed' : 'accepted';
  }

  private beforeFirst({ broadcastAgeMs }: StoredAttempt): void {
    if (broadcastAgeMs === null) faultPoint('transactions.recorded');
  }

  private async noteAcceptance(
    chain: Chain,
    { broadcastAgeMs, hash }: StoredAttempt,
    message: string,
  ): Promise<void> {
    if (broadcastAgeMs !== null) return;
    await this.attempts.broadcast(hash);
    faultPoint('transactions.broadcast');
    this.context.logger.info({ chain: chain.name, hash }, message);
  }

  private noteRefusal(
    chain: Chain,
    attempt: StoredAttempt,
    result: BroadcastResult | 'private',
    errors: readonly unknown[],
  ): void {
    if (result === 'nonce_used') return;
    this.metrics.refused.inc({ chain: chain.name, reason: result });
    this.context.logger.warn(
      { err: errors[0], chain: chain.name, hash: attempt.hash, result },
      'transaction refused',
    );
  }
}
