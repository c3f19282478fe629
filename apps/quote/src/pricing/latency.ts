import { parseTokenIdentifier } from '@bascule/contracts';
import { depositOf, type QuotedLeg, type QuotedRoute } from '../routes/quoted-route.js';

/** Blocks that a transaction waits for between being due and being mined. */
const BLOCKS_TO_MINE = 2;

export interface ChainTiming {
  confirmations: number;
  blockTimeMs: number;
}

/** What others than the chains take, in seconds. */
export const waitOf = ({ onramp, legs }: QuotedRoute): number =>
  legs.reduce(
    (sum, { bridge }) => sum + (bridge?.latencySeconds ?? 0),
    onramp?.latencySeconds ?? 0,
  );

const seconds = (blocks: number, { blockTimeMs }: ChainTiming): number =>
  (blocks * blockTimeMs) / 1_000;

/** From the customer's payment to the tokens at the destination, in seconds. */
export function expectedLatency(
  route: QuotedRoute,
  timingOf: (chain: string) => ChainTiming,
): number {
  const confirmed = (chain: string) =>
    seconds(BLOCKS_TO_MINE + timingOf(chain).confirmations, timingOf(chain));
  /** A bridge's own time begins with the block that it is in, and ends when its delivery is final. */
  const onChain = ({ chain, bridge }: QuotedLeg) =>
    bridge ? seconds(BLOCKS_TO_MINE, timingOf(chain)) : confirmed(chain);
  const deposited = confirmed(parseTokenIdentifier(depositOf(route).asset).chain);
  const executed = route.legs.reduce((sum, leg) => sum + onChain(leg), 0);
  return Math.ceil(waitOf(route) + deposited + executed);
}
