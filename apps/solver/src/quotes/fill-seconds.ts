import type { ChainDefinition } from '@bascule/chain';

/** Until a transaction that was just sent is in a block. */
const BLOCKS_TO_LAND = 2;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** From the order's block until our fill is in a block. */
export const fillSeconds = (
  origin: ChainDefinition,
  destination: ChainDefinition,
  delayMs: number,
): number =>
  seconds(
    origin.confirmations * origin.blockTimeMs + delayMs + BLOCKS_TO_LAND * destination.blockTimeMs,
  );
