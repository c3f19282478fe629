import { finalHeight } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { Refusal } from './refusal.js';

/** Shorter than the callers' own timeout, so that they see which endpoint failed. */
const CALL_TIMEOUT_MS = 3_000;

interface FinalAnswer {
  data: Hex;
  /** Time of the block, in unix seconds. */
  timestamp: bigint;
}

/** Reads from the newest final block and requires all endpoints of the chain to agree. */
@Injectable()
export class FinalBlocksClient {
  /** @throws Refusal when an endpoint fails, or endpoints disagree */
  async call(chain: Chain, to: Address, data: Hex): Promise<FinalAnswer> {
    const [first, ...others] = await this.askAll(chain, to, data);
    const disagrees = others.some(
      (other) => other.blockHash !== first?.blockHash || other.data !== first.data,
    );
    if (!first || disagrees) {
      const message = `The endpoints of ${chain.name} disagree.`;
      throw new Refusal('endpoints_disagree', message, chain.definition.blockTimeMs);
    }
    return first;
  }

  private async askAll(chain: Chain, to: Address, data: Hex) {
    try {
      const heights = await Promise.all(
        chain.endpoints.map((endpoint) =>
          withTimeout(CALL_TIMEOUT_MS, finalHeight(endpoint, chain.definition)),
        ),
      );
      const number = heights.reduce((lowest, next) => (next < lowest ? next : lowest));
      return await Promise.all(
        chain.endpoints.map((endpoint) => ask(endpoint, { to, data, number })),
      );
    } catch (error) {
      const message = `Could not read ${chain.name} from every endpoint.`;
      throw new Refusal('chain_unavailable', message, chain.definition.blockTimeMs, error);
    }
  }
}

async function ask(
  endpoint: EndpointClient,
  { to, data, number }: { to: Address; data: Hex; number: bigint },
) {
  const { hash, timestamp } = await withTimeout(
    CALL_TIMEOUT_MS,
    endpoint.getBlock({ blockNumber: number }),
  );
  const answer = await withTimeout(
    CALL_TIMEOUT_MS,
    endpoint.call({ to, data, blockHash: hash, requireCanonical: true }),
  );
  return { data: answer.data ?? '0x', blockHash: hash, timestamp };
}
