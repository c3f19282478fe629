import type { BusyChain } from './busy-chain.js';
import type { Play } from './play.js';
import type { PriceRise } from './price-rise.js';

/** What plays of one round share. */
export interface Scene {
  chains: readonly BusyChain[];
  prices: PriceRise;
  /** A play that another one leads to. */
  add(play: Play): void;
}
