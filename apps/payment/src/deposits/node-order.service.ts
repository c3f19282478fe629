import type { EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { BlockNotFoundError } from 'viem';

/** Time for which other nodes are preferred to one that failed or was slow. */
const AVOIDED_MS = 60_000;
/** Duration of an answer from which on a node was slow. */
const SLOW_MS = 2_000;
/** Time for which a node that failed once is not asked where its answer can wait; it doubles with each failure. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;

interface Failures {
  /** Number since the node last answered as a second one. */
  count: number;
  /** Time of the last one, or of a slow answer, by a monotonic clock. */
  at: number;
}

/** Order in which nodes of chains are asked: those that failed lately come last. */
export class NodeOrderService {
  private readonly failures = new WeakMap<EndpointClient, Failures>();

  noteFailure(node: EndpointClient): void {
    const count = (this.failures.get(node)?.count ?? 0) + 1;
    this.failures.set(node, { count, at: performance.now() });
  }

  /** Ends the pause of a node, which is still avoided as the scanned one. */
  noteAnswer(node: EndpointClient): void {
    const known = this.failures.get(node);
    if (known !== undefined) this.failures.set(node, { ...known, count: 0 });
  }

  /** Puts nodes last that failed or were slow lately, the last one that did at the end. */
  preferred(nodes: readonly EndpointClient[]): EndpointClient[] {
    const since = performance.now() - AVOIDED_MS;
    const failed = (node: EndpointClient) => Math.max(since, this.failures.get(node)?.at ?? since);
    return nodes.toSorted((one, other) => failed(one) - failed(other));
  }

  /** Nodes that have no pause, in the preferred order. */
  unpaused(nodes: readonly EndpointClient[]): EndpointClient[] {
    return this.preferred(nodes.filter((node) => !this.isPaused(node)));
  }

  /**
   * Asks nodes one after the other, each for a limited time, and notes who fails and who answers. One that does not have a
   * block yet has not failed.
   * @returns null where none answers
   */
  async firstAnswer<T>(
    nodes: readonly EndpointClient[],
    waitMs: number,
    ask: (node: EndpointClient) => Promise<T>,
    failed: (error: unknown) => void,
  ): Promise<T | null> {
    for (const node of nodes) {
      const asked = performance.now();
      try {
        const answer = await withTimeout(waitMs, () => ask(node));
        const now = performance.now();
        if (now - asked > SLOW_MS) this.failures.set(node, { count: 0, at: now });
        else this.noteAnswer(node);
        return answer;
      } catch (error) {
        if (!(error instanceof BlockNotFoundError)) this.noteFailure(node);
        failed(error);
      }
    }
    return null;
  }

  private isPaused(node: EndpointClient): boolean {
    const { count, at } = this.failures.get(node) ?? { count: 0, at: 0 };
    if (count === 0) return false;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
    return performance.now() < at + pause;
  }
}
