import { runCrossing } from './crossings.js';
import { runOnramp } from './onramps.js';
import { runPricesRisen } from './failures.js';
import {
  runExpired,
  runLate,
  runOwnTransaction,
  runRaced,
  runRetried,
  runUnderpaid,
  runUnfunded,
  runWaiting,
  runWrongToken,
} from './recoveries.js';
import type { TestPayment } from './test-payment.js';
import type { RoundContext } from './round-context.js';
import { runExcess, runInParts, runSwap, runTransfer } from './swaps.js';

export interface Scenario {
  name: string;
  /** Count among 200 payments. */
  share: number;
  /** Takes long for reasons of its own, so it is begun early. */
  isSlow?: true;
  /** On the chain whose prices rise; other scenarios run on any chain. */
  onRisingPrices?: true;
  run(payment: TestPayment, round: RoundContext): Promise<void>;
}

/** Every scenario with its share of the payments. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'swap', share: 46, run: runSwap },
  { name: 'crossing', share: 16, run: runCrossing },
  { name: 'transfer', share: 16, run: runTransfer },
  { name: 'onramp', share: 24, run: runOnramp },
  { name: 'excess', share: 14, run: runExcess },
  { name: 'in parts', share: 8, run: runInParts },
  { name: 'underpaid', share: 16, run: runUnderpaid },
  { name: 'wrong token', share: 10, run: runWrongToken },
  { name: 'retried', share: 8, run: runRetried },
  { name: 'own transaction', share: 8, run: runOwnTransaction },
  { name: 'raced', share: 8, run: runRaced },
  { name: 'failed', share: 8, isSlow: true, onRisingPrices: true, run: runPricesRisen },
  { name: 'expired', share: 6, isSlow: true, run: runExpired },
  { name: 'late', share: 4, isSlow: true, run: runLate },
  { name: 'waiting', share: 5, run: runWaiting },
  { name: 'unfunded', share: 3, run: runUnfunded },
];
