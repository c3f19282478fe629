import type { EndpointClient } from '@bascule/chain';
import { Injectable } from '@nestjs/common';

/** Time for which other nodes are preferred to one that failed. */
const AVOIDED_MS = 60_000;
/** Time for which a node that failed is not asked where its answer can wait. */
const PAUSED_MS = 10_000;

/** Order in which a scan asks nodes: those that failed lately come last. */
@Injectable()
export class NodeOrderService {
  /** Time of each node's last failure, by a monotonic clock. */
  private readonly failedAt = new WeakMap<EndpointClient, number>();

  noteFailure(node: EndpointClient): void {
    this.failedAt.set(node, performance.now());
  }

  /** The first node that has not failed lately, else the one that failed first. */
  preferred(nodes: readonly EndpointClient[]): EndpointClient | undefined {
    const since = performance.now() - AVOIDED_MS;
    const failed = (node: EndpointClient) => Math.max(since, this.failedAt.get(node) ?? since);
    return nodes.toSorted((one, other) => failed(one) - failed(other))[0];
  }

  /** Nodes other than this one that have not failed just now. */
  others(nodes: readonly EndpointClient[], node: EndpointClient): EndpointClient[] {
    const since = performance.now() - PAUSED_MS;
    return nodes.filter((it) => it !== node && (this.failedAt.get(it) ?? -Infinity) < since);
  }
}
