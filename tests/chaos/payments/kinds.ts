import { playCrossing } from './crossings.js';
import { playOnramp } from './onramps.js';
import { playPricesRisen } from './failures.js';
import {
  playExpired,
  playLate,
  playOwnTransaction,
  playRaced,
  playRetried,
  playUnderpaid,
  playUnfunded,
  playWaiting,
  playWrongToken,
} from './recoveries.js';
import type { Play } from './play.js';
import type { Scene } from './scene.js';
import { playExcess, playInParts, playSwap, playTransfer } from './swaps.js';

export interface Kind {
  name: string;
  /** Of 200 payments. */
  share: number;
  /** Takes long for reasons of its own, so it is begun early. */
  isSlow?: true;
  /** On the chain whose prices rise; the others are anywhere. */
  onRisingPrices?: true;
  play(play: Play, scene: Scene): Promise<void>;
}

/** What happens to payments, in the proportions of a lively day. */
export const KINDS: readonly Kind[] = [
  { name: 'swap', share: 46, play: playSwap },
  { name: 'crossing', share: 16, play: playCrossing },
  { name: 'transfer', share: 16, play: playTransfer },
  { name: 'onramp', share: 24, play: playOnramp },
  { name: 'excess', share: 14, play: playExcess },
  { name: 'in parts', share: 8, play: playInParts },
  { name: 'underpaid', share: 16, play: playUnderpaid },
  { name: 'wrong token', share: 10, play: playWrongToken },
  { name: 'retried', share: 8, play: playRetried },
  { name: 'own transaction', share: 8, play: playOwnTransaction },
  { name: 'raced', share: 8, play: playRaced },
  { name: 'failed', share: 8, isSlow: true, onRisingPrices: true, play: playPricesRisen },
  { name: 'expired', share: 6, isSlow: true, play: playExpired },
  { name: 'late', share: 4, isSlow: true, play: playLate },
  { name: 'waiting', share: 5, play: playWaiting },
  { name: 'unfunded', share: 3, play: playUnfunded },
];
