import type { Chain, EndpointClient } from '@bascule/chain';
import { TimeoutError, withTimeout } from '@bascule/process';
import { internalTransfers } from './internal-transfers.client.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import type { Transfer } from './transfers.js';

/**
 * Traces blocks within the time that one pass has for it. After a failure it tries no further block, so that nodes that hang
 * hold up the chain once.
 */
export class PassTracerClient {
  private leftMs: number;

  constructor(
    private readonly chain: Chain,
    private readonly node: EndpointClient,
    ms: number,
  ) {
    this.leftMs = ms;
  }

  /**
   * Transfers within the transactions of a block; none where no node can trace.
   * @throws TracesUnavailableError where one may be able to later
   */
  async transfersIn(block: Parameters<typeof internalTransfers>[1]): Promise<Transfer[]> {
    if (this.leftMs <= 0) throw new TracesUnavailableError(block.hash, { wasTried: false });
    const others = this.chain.endpoints.filter((endpoint) => endpoint !== this.node);
    const startedAt = performance.now();
    try {
      const found = await withTimeout(
        this.leftMs,
        internalTransfers([this.node, ...others], block),
      );
      this.leftMs -= performance.now() - startedAt;
      return found ?? [];
    } catch (error) {
      this.leftMs = 0;
      if (!(error instanceof TimeoutError)) throw error;
      throw new TracesUnavailableError(block.hash, { cause: error });
    }
  }
}
