import { LRUCache } from 'lru-cache';

/** Each has up to 24 KiB of data. */
const MAX_ANSWERS = 200;

/**
 * Asks each question once: callers at the same time share the request, and those within the time to live its answer. Nodes
 * that are asked about the same conversion so judge the same swap.
 */
export class SharedAnswers<T> {
  private readonly answers = new LRUCache<string, Promise<T>>({ max: MAX_ANSWERS });

  constructor(private readonly ttlMs: number) {}

  get(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(question);
    if (known !== undefined) return known;
    const answer = ask();
    this.answers.set(question, answer);
    answer.then(
      () => this.answers.set(question, answer, { ttl: this.ttlMs }),
      () => this.answers.delete(question),
    );
    return answer;
  }
}
