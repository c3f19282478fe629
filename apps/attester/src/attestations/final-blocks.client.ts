import { answerOf, finalHeight, majorityOf, settleWithGrace } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { Refusal } from './refusal.js';

/** Shorter than the callers' own timeout, so that they see which endpoint failed. */
const CALL_TIMEOUT_MS = 3_000;
/** Wait for slower endpoints after most have answered: a fast one may be wrong. */
const STRAGGLER_MS = 1_000;

interface FinalAnswer {
  data: Hex;
  /** Time of the block, in unix seconds. */
  timestamp: bigint;
}

/** Reads from the newest final block and requires most of the chain's endpoints to agree: two of three, both of two. */
@Injectable()
export class FinalBlocksClient {
  /** @throws Refusal when too few endpoints answer, or too few agree */
  async call(chain: Chain, to: Address, data: Hex): Promise<FinalAnswer> {
    const majority = majorityOf(chain);
    const heights = await this.askAll(chain, (endpoint) =>
      withTimeout(CALL_TIMEOUT_MS, finalHeight(endpoint, chain.definition)),
    );
    // Height that a majority has reached, so that no single endpoint of three sets it.
    const number = heights.sort((a, b) => (a < b ? 1 : -1))[majority - 1] ?? 0n;
    const answers = await this.askAll(chain, (endpoint) => ask(endpoint, { to, data, number }));
    const agreed = answerOf(majority, answers, (answer) => Object.values(answer).join());
    if (agreed) return agreed;
    const message = `The endpoints of ${chain.name} disagree.`;
    throw new Refusal('endpoints_disagree', message, chain.definition.blockTimeMs);
  }

  private async askAll<T>(
    chain: Chain,
    askOne: (endpoint: EndpointClient) => Promise<T>,
  ): Promise<T[]> {
    const majority = majorityOf(chain);
    const { values, reasons } = await settleWithGrace(chain.endpoints.map(askOne), STRAGGLER_MS, {
      results: majority,
      waitMs: CALL_TIMEOUT_MS,
    });
    if (values.length >= majority) return values;
    const message = `Could not read ${chain.name} from enough endpoints.`;
    const cause = new AggregateError(reasons, message);
    throw new Refusal('chain_unavailable', message, chain.definition.blockTimeMs, cause);
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
