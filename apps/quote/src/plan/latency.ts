import type { QuotedRoute } from './quoted-route.js';

/** Blocks that a transaction waits for between being due and being mined. */
const BLOCKS_TO_MINE = 2;

/** From the customer's payment to the tokens at the destination, in seconds. */
export function expectedLatency(
  { onramp }: QuotedRoute,
  chain: { confirmations: number; blockTimeMs: number },
): number {
  const deposited = chain.confirmations + BLOCKS_TO_MINE;
  const paidOut = chain.confirmations + BLOCKS_TO_MINE;
  const onchain = ((deposited + paidOut) * chain.blockTimeMs) / 1_000;
  return Math.ceil((onramp?.latencySeconds ?? 0) + onchain);
}
