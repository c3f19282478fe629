import { unlessAborted } from '@bascule/process';
import { LRUCache } from 'lru-cache';
import { ProviderError, providerError } from '../port/provider-error.js';

const TTL_MS = 10 * 60_000;
/** More than any provider has: one list for each country, and for each state of the USA. */
const MAX_LISTS = 300;

/**
 * Lists that a provider seldom changes, kept for ten minutes by the query that asks for them, and longer while
 * the provider does not answer.
 */
export class KeptLists<List extends object> {
  private readonly lists: LRUCache<string, List>;

  constructor(
    private readonly provider: string,
    fetch: (query: string) => Promise<List>,
  ) {
    this.lists = new LRUCache({
      max: MAX_LISTS,
      ttl: TTL_MS,
      fetchMethod: async (query, known) => {
        try {
          return await fetch(query);
        } catch (error) {
          if (known !== undefined && error instanceof ProviderError) return known;
          throw error;
        }
      },
    });
  }

  /** Returns a list; when the signal of one caller aborts, the others go on waiting. @throws ProviderError */
  async get(query: string, signal?: AbortSignal): Promise<List> {
    const fetched = () => this.lists.forceFetch(query);
    if (signal === undefined) return fetched();
    try {
      return await unlessAborted(signal, fetched);
    } catch (error) {
      if (!signal.aborted || error instanceof ProviderError) throw error;
      throw providerError(this.provider, 'unavailable', 'was not waited for', error);
    }
  }
}
