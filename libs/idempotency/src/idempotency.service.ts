import { ServiceError, unavailable } from '@bascule/contracts';
import { isUniqueViolation } from '@bascule/persistence';
import { settlesWithin } from '@bascule/process';
import type { ServiceContext } from '@bascule/process';
import type { SealedTokens } from '@bascule/sealed-tokens';
import { Counter } from 'prom-client';
import { AnswerSlot } from './answer-slot.js';
import { RECORDS_KEY } from './idempotency-records.js';
import type { IdempotencyRecords } from './idempotency-records.js';
import type { IdempotentRequest } from './idempotent-request.js';
import { RunningRequests } from './running-requests.js';

const REPLAYED_HEADER = 'idempotency-replayed';

/** Longest wait for a concurrent request with the same key; then 503 with `Retry-After`. */
const DEFAULT_WAIT_MS = 20_000;

/** Response that tells a replay from the first answer. */
export interface Reply {
  header(name: string, value: string): unknown;
}

/** Work behind an endpoint that honours `Idempotency-Key`. */
export interface IdempotentWork<Answer> {
  /**
   * Has the effect and stores its answer in the same transaction, sealed by the slot. Without an effect nothing is
   * stored; without a key there is no slot.
   */
  effect: (slot: AnswerSlot | undefined) => Promise<Answer>;
  /**
   * Completes an answer that was stored as not final; called again where an earlier request did not get so far.
   * Null when the client has left: the answer stays open for its next request.
   */
  finish?: (stored: Answer) => Promise<Answer | null>;
}

interface Outcome<Answer> {
  answer: Answer;
  isReplayed: boolean;
  isFinal: boolean;
}

type Counted = 'first' | 'replayed' | 'other_body' | 'failed' | 'timed_out';

/** Answers requests with an `Idempotency-Key` once: repeated ones get the first answer. */
export class IdempotencyService {
  private readonly running = new RunningRequests();
  private readonly requests: Counter<'outcome'>;

  constructor(
    private readonly records: IdempotencyRecords,
    private readonly tokens: SealedTokens,
    { metrics }: ServiceContext,
    private readonly waitMs = DEFAULT_WAIT_MS,
  ) {
    this.requests = new Counter({
      name: 'idempotency_requests_total',
      help: 'Requests with an Idempotency-Key.',
      labelNames: ['outcome'],
      registers: [metrics],
    });
  }

  /** @throws ServiceError: 422 for another body, 503 while a concurrent request has no answer, or that of the work */
  async answer<Answer>(
    request: IdempotentRequest | null,
    reply: Reply,
    work: IdempotentWork<Answer>,
  ): Promise<Answer> {
    if (request === null) {
      const answer = await work.effect(undefined);
      return (await work.finish?.(answer)) ?? answer;
    }
    const slot = new AnswerSlot(request, this.tokens);
    try {
      const outcome = await this.finished(slot, await this.firstOf(slot, work), work);
      if (outcome.isReplayed) reply.header(REPLAYED_HEADER, 'true');
      this.count(outcome.isReplayed ? 'replayed' : 'first');
      return outcome.answer;
    } catch (error) {
      this.count(outcomeOf(error));
      throw error;
    }
  }

  /**
   * Has the effect once in this process and, by the record's primary key, once in all. Concurrent requests wait without
   * a connection and share the outcome, errors too; those with another body then look themselves.
   */
  private async firstOf<Answer>(
    slot: AnswerSlot,
    work: IdempotentWork<Answer>,
  ): Promise<Outcome<Answer>> {
    const deadline = Date.now() + this.waitMs;
    for (;;) {
      const running = this.running.find(slot.key);
      if (running === undefined) {
        return this.running.run(
          slot,
          async () => (await this.find<Answer>(slot)) ?? (await this.run(slot, work)),
        );
      }
      if (!(await settlesWithin(deadline - Date.now(), running.result))) throw stillRunning();
      if (running.bodyHash === slot.bodyHash) {
        return { ...((await running.result) as Outcome<Answer>), isReplayed: true };
      }
    }
  }

  private async run<Answer>(
    slot: AnswerSlot,
    work: IdempotentWork<Answer>,
  ): Promise<Outcome<Answer>> {
    try {
      const answer = await work.effect(slot);
      return { answer, isReplayed: false, isFinal: work.finish === undefined };
    } catch (error) {
      // Another replica was first, or the commit succeeded although its acknowledgement was lost.
      const found = await this.find<Answer>(slot).catch((cause: unknown) => {
        throw cause instanceof ServiceError ? cause : error;
      });
      if (found !== null) return found;
      throw isUniqueViolation(error, RECORDS_KEY) ? stillRunning() : error;
    }
  }

  private async finished<Answer>(
    slot: AnswerSlot,
    outcome: Outcome<Answer>,
    { finish }: IdempotentWork<Answer>,
  ): Promise<Outcome<Answer>> {
    if (outcome.isFinal || finish === undefined) return outcome;
    const answer = await finish(outcome.answer);
    if (answer === null) return outcome;
    const isFirst = await this.records.complete(await slot.seal(answer));
    const first = isFirst ? null : await this.find<Answer>(slot);
    return first ?? { answer, isReplayed: false, isFinal: true };
  }

  private async find<Answer>(slot: AnswerSlot): Promise<Outcome<Answer> | null> {
    const stored = await this.records.find(slot.identity);
    if (stored === null) return null;
    const opened = await slot.open<Answer>(stored.answer);
    if (opened === null) throw otherBody();
    return { answer: opened.answer, isReplayed: true, isFinal: stored.is_final };
  }

  private count(outcome: Counted): void {
    this.requests.inc({ outcome });
  }
}

class StillRunningError extends ServiceError {}

const stillRunning = (): ServiceError =>
  new StillRunningError(
    'unavailable',
    unavailable('Another request with this Idempotency-Key is still running. Try again.').errors,
  );

const otherBody = (): ServiceError =>
  new ServiceError('unprocessable', [
    {
      kind: 'other',
      message: 'The Idempotency-Key was used with another body. Use a new key for a new request.',
    },
  ]);

function outcomeOf(error: unknown): Counted {
  if (error instanceof StillRunningError) return 'timed_out';
  const isOtherBody = error instanceof ServiceError && error.code === 'unprocessable';
  return isOtherBody ? 'other_body' : 'failed';
}
