import type { SealedTokens } from '@bascule/sealed-tokens';
import type { IdempotentRequest } from './idempotent-request.js';
import type { SealedAnswer } from './sealed-answer.js';

/** Longer than a record is kept, by the clock of any replica. */
const SEAL_HOURS = 25;

interface Content {
  identity: string;
  bodyHash: string;
  answer: unknown;
}

/** Encrypts the answer to one request, and decrypts it for requests that repeat it. */
export class AnswerSlot {
  constructor(
    private readonly request: IdempotentRequest,
    private readonly tokens: SealedTokens,
  ) {}

  get identity(): Buffer {
    return this.request.identity;
  }

  /** Identity as text. */
  get key(): string {
    return this.request.identity.toString('hex');
  }

  get bodyHash(): string {
    return this.request.bodyHash;
  }

  /** Encrypts the answer, for the transaction that stores the effect. */
  async seal(answer: unknown, { isFinal = true } = {}): Promise<SealedAnswer> {
    const { identity, bodyHash } = this.request;
    const content: Content = { identity: this.key, bodyHash, answer };
    const until = new Date(Date.now() + SEAL_HOURS * 3_600_000);
    return { identity, answer: await this.tokens.seal('answer', content, until), isFinal };
  }

  /**
   * Returns the answer; null when another body was answered.
   *
   * @throws Error for the record of another request, or one whose key is missing
   */
  async open<Answer>(sealed: string): Promise<{ answer: Answer } | null> {
    const content = await this.tokens.open<Content>('answer', sealed);
    if (content.identity !== this.key) {
      throw new Error('the idempotency record belongs to another request');
    }
    return content.bodyHash === this.request.bodyHash ? { answer: content.answer as Answer } : null;
  }
}
