import type { QuotedRoute } from './quoted-route.js';

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

/** On each chain tokens arrive, and then a transaction hands them on; both are confirmed. */
const onChain = ({ confirmations, blockTimeMs }: ChainTiming): number =>
  (2 * (confirmations + BLOCKS_TO_MINE) * blockTimeMs) / 1_000;

/** From the customer's payment to the tokens at the destination, in seconds. */
export const expectedLatency = (
  route: QuotedRoute,
  timingOf: (chain: string) => ChainTiming,
): number =>
  Math.ceil(route.legs.reduce((sum, { chain }) => sum + onChain(timingOf(chain)), waitOf(route)));
