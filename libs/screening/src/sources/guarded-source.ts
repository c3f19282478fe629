import { CircuitBreaker } from '@bascule/json-client';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { MAX_ADDRESSES } from '../screening-source.js';
import type { ScreeningSource } from '../screening-source.js';

/** Answers of one source. */
export interface SourceAnswers {
  source: string;
  /** Whether each address is sanctioned; addresses without an answer are missing. */
  isSanctioned: ReadonlyMap<Address, boolean>;
  /** Number of addresses that were answered by the source now, not from the cache. */
  fresh: number;
  /** Why some addresses have no answer; undefined when all have one. */
  failure: Error | undefined;
  /** Why the answers are of an older list; undefined while they are of the current one. */
  outdated: Error | undefined;
}

export interface SourceLimits {
  timeoutMs: number;
  cacheMs: number;
}

const CACHED_ADDRESSES = 100_000;
/** Payments wait meanwhile, so an open circuit tries again soon. */
const COOL_DOWN_MS = { first: 1_000, max: 10_000 };

/** A source with its time limit, circuit breaker and cache. */
export class GuardedSource {
  private readonly cache: LRUCache<Address, boolean> | undefined;
  private readonly circuit: CircuitBreaker;

  constructor(
    private readonly source: ScreeningSource,
    { timeoutMs, cacheMs }: SourceLimits,
  ) {
    this.circuit = new CircuitBreaker({
      peer: source.name,
      timeoutMs,
      ...(source.isRemote ? {} : { failures: Infinity }),
      coolDownMs: COOL_DOWN_MS.first,
      maxCoolDownMs: COOL_DOWN_MS.max,
    });
    this.cache =
      source.isRemote && cacheMs > 0
        ? new LRUCache({ max: CACHED_ADDRESSES, ttl: cacheMs })
        : undefined;
  }

  get name(): string {
    return this.source.name;
  }

  /** Never throws; cached answers hold while the source is unavailable. */
  async answersAbout(addresses: readonly Address[]): Promise<SourceAnswers> {
    const isSanctioned = new Map<Address, boolean>();
    for (const address of addresses) {
      const cached = this.cache?.get(address);
      if (cached !== undefined) isSanctioned.set(address, cached);
    }
    const cached = isSanctioned.size;
    const failure = await this.askAll(
      addresses.filter((address) => !isSanctioned.has(address)),
      isSanctioned,
    );
    const fresh = isSanctioned.size - cached;
    return { source: this.name, isSanctioned, fresh, failure, outdated: this.source.outdated };
  }

  /** Returns the failure after which it stopped asking, or an error where verdicts are missing. */
  private async askAll(
    addresses: readonly Address[],
    answers: Map<Address, boolean>,
  ): Promise<Error | undefined> {
    let missing = 0;
    try {
      for (let from = 0; from < addresses.length; from += MAX_ADDRESSES) {
        missing += await this.ask(addresses.slice(from, from + MAX_ADDRESSES), answers);
      }
    } catch (error) {
      return error instanceof Error ? error : new Error('unknown failure', { cause: error });
    }
    if (missing === 0) return undefined;
    return new Error(`${this.name} has no verdict about ${missing} addresses`);
  }

  /** Returns the number of addresses without a verdict. */
  private async ask(
    addresses: readonly Address[],
    answers: Map<Address, boolean>,
  ): Promise<number> {
    const { sanctioned, unanswered } = await this.circuit.run((signal) =>
      this.source.screen(addresses, signal),
    );
    const answered = addresses.filter((address) => !unanswered.has(address));
    for (const address of answered) {
      answers.set(address, sanctioned.has(address));
      this.cache?.set(address, sanctioned.has(address));
    }
    return addresses.length - answered.length;
  }
}
