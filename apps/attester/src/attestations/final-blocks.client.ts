import { answerOf, finalHeight, majorityOf, settleWithGrace } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address, Hash, Hex } from 'viem';
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

interface Block {
  hash: Hash;
  timestamp: bigint;
}

/** A chain's final height, and its block by each endpoint that was asked for it. */
interface FinalPoint {
  number: bigint;
  blocks: Map<EndpointClient, Promise<Block>>;
}

/** Reads from the newest final block and requires most of the chain's endpoints to agree: two of three, both of two. */
@Injectable()
export class FinalBlocksClient {
  /** Kept for the time of a block: invented orders cost one request to each endpoint. */
  private readonly points = new Map<string, { point: Promise<FinalPoint>; until: number }>();

  /** @throws Refusal when too few endpoints answer, or too few agree */
  async call(chain: Chain, to: Address, data: Hex): Promise<FinalAnswer> {
    const point = await this.finalPoint(chain);
    const answers = await askAll(chain, (endpoint) => ask(endpoint, point, { to, data }));
    const agreed = answerOf(majorityOf(chain), answers, (answer) => Object.values(answer).join());
    if (agreed) return agreed;
    const message = `The endpoints of ${chain.name} disagree.`;
    throw new Refusal('endpoints_disagree', message, chain.definition.blockTimeMs);
  }

  private finalPoint(chain: Chain): Promise<FinalPoint> {
    const now = performance.now();
    const known = this.points.get(chain.name);
    if (known && now < known.until) return known.point;
    const point = readFinalPoint(chain);
    const entry = { point, until: now + chain.definition.blockTimeMs };
    this.points.set(chain.name, entry);
    point.catch(() => {
      if (this.points.get(chain.name) === entry) this.points.delete(chain.name);
    });
    return point;
  }
}

/** Finds the height that a majority has reached, so that no single endpoint of three sets it. */
async function readFinalPoint(chain: Chain): Promise<FinalPoint> {
  const heights = await askAll(chain, (endpoint) =>
    withTimeout(CALL_TIMEOUT_MS, finalHeight(endpoint, chain.definition)),
  );
  const number = heights.sort((a, b) => (a < b ? 1 : -1))[majorityOf(chain) - 1] ?? 0n;
  return { number, blocks: new Map() };
}

async function askAll<T>(
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

async function ask(
  endpoint: EndpointClient,
  point: FinalPoint,
  { to, data }: { to: Address; data: Hex },
) {
  const { hash, timestamp } = await blockOf(endpoint, point);
  const answer = await withTimeout(
    CALL_TIMEOUT_MS,
    endpoint.call({ to, data, blockHash: hash, requireCanonical: true }),
  );
  return { data: answer.data ?? '0x', blockHash: hash, timestamp };
}

function blockOf(endpoint: EndpointClient, { number, blocks }: FinalPoint): Promise<Block> {
  const known = blocks.get(endpoint);
  if (known) return known;
  const block = withTimeout(CALL_TIMEOUT_MS, endpoint.getBlock({ blockNumber: number }));
  blocks.set(endpoint, block);
  block.catch(() => blocks.delete(endpoint));
  return block;
}
