import type { ChainDefinition } from '@bascule/chain';

/** Blocks until a new transaction is mined. */
const BLOCKS_TO_MINE = 2;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Estimates the seconds from the order's block until our fill is mined. */
export const fillSeconds = (
  origin: ChainDefinition,
  destination: ChainDefinition,
  delayMs: number,
): number =>
  seconds(
    origin.confirmations * origin.blockTimeMs + delayMs + BLOCKS_TO_MINE * destination.blockTimeMs,
  );
