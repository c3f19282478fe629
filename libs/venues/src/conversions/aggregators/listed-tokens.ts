import { withTimeout } from '@bascule/process';
import type { Address } from 'viem';
import { SharedAnswers } from './shared-answers.js';

const TTL_MS = 600_000;

/** Lower-case addresses. */
type TokenSet = ReadonlySet<string>;

const NONE: TokenSet = new Set();

/**
 * Tokens that an aggregator lists for a chain. During an outage of its API, or while it is slow, the last known list
 * stays: other venues of the chain must not lose their pairs by it.
 */
export class ListedTokens {
  private readonly answers = new SharedAnswers<TokenSet>(TTL_MS);
  private readonly lastKnown = new Map<number, TokenSet>();

  /** @param waitMs time to wait for a list, which is still read afterwards */
  constructor(
    private readonly fetchTokens: (chainId: number) => Promise<readonly Address[]>,
    private readonly waitMs: number,
  ) {}

  async of(chainId: number): Promise<TokenSet> {
    try {
      const list = this.answers.get(String(chainId), () => this.fetch(chainId));
      return await withTimeout(this.waitMs, list);
    } catch {
      return this.lastKnown.get(chainId) ?? NONE;
    }
  }

  private async fetch(chainId: number): Promise<TokenSet> {
    const listed = await this.fetchTokens(chainId);
    const tokens = new Set(listed.map((token) => token.toLowerCase()));
    this.lastKnown.set(chainId, tokens);
    return tokens;
  }
}
