import { unlessAborted } from '@bascule/process';
import { LRUCache } from 'lru-cache';
import { ProviderError, providerError } from '../port/provider-error.js';

/** More than any provider has: one list for each country, and for each state of the USA. */
const MAX = 300;
const LIST = { ttlMs: 10 * 60_000, isKeptLonger: true };
const QUOTE = { ttlMs: 3_000, isKeptLonger: false };

/** Answers of a provider that are asked for again and again, by their query. Callers at the same time share one call. */
export class KeptAnswers<Answer extends object> {
  private readonly answers: LRUCache<string, Answer>;

  private constructor(
    private readonly provider: string,
    fetch: (query: string) => Promise<Answer>,
    { ttlMs, isKeptLonger }: typeof LIST,
  ) {
    this.answers = new LRUCache({
      max: MAX,
      ttl: ttlMs,
      fetchMethod: async (query, known) => {
        try {
          return await fetch(query);
        } catch (error) {
          if (isKeptLonger && known !== undefined && error instanceof ProviderError) return known;
          throw error;
        }
      },
    });
  }

  /** Lists that seldom change: kept for ten minutes, and longer while the provider does not answer. */
  static lists<List extends object>(
    provider: string,
    fetch: (query: string) => Promise<List>,
  ): KeptAnswers<List> {
    return new KeptAnswers(provider, fetch, LIST);
  }

  /** Quotes: kept for three seconds, since several methods of payment may have the same one. */
  static quotes<Quote extends object>(
    provider: string,
    fetch: (query: string) => Promise<Quote>,
  ): KeptAnswers<Quote> {
    return new KeptAnswers(provider, fetch, QUOTE);
  }

  /** Returns an answer; when the signal of one caller aborts, the others go on waiting. @throws ProviderError */
  async get(query: string, signal?: AbortSignal): Promise<Answer> {
    const fetched = () => this.answers.forceFetch(query);
    if (signal === undefined) return fetched();
    try {
      return await unlessAborted(signal, fetched);
    } catch (error) {
      if (!signal.aborted || error instanceof ProviderError) throw error;
      throw providerError(this.provider, 'unavailable', 'was not waited for', error);
    }
  }
}
