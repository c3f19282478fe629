import { feesFor, maxFeeOf } from '@bascule/chain';
import type { Chain, FeeOffers } from '@bascule/chain';
import { parseTransaction } from 'viem';
import { boundedFees, highestFee } from './bounded-fees.js';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import { isNewOffer, raisedFees, replaceableFee, replacementFees } from './replacement-fees.js';
import { contentOf, dataFeeFor } from './signed-attempt.js';
import type { TransactionContent, UnsignedAttempt } from './signed-attempt.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

/** Whether a node has ever accepted an attempt: until then no node expects higher fees, and lower ones are valid. */
export const wasAccepted = (attempts: readonly StoredAttempt[]): boolean =>
  attempts.some(({ broadcastAgeMs }) => broadcastAgeMs !== null);

/** Attempts of which none was accepted, after which further ones are ever rarer: else a node whose prices vary has them stored without end. */
const MOST_REFUSED = 30;
const SHARE_OF_AGE = 10;

interface Known {
  chain: Chain;
  transaction: StoredTransaction;
  /** Newest first. */
  attempts: readonly StoredAttempt[];
  market: FeeOffers;
  isOverdue: boolean;
  isAccepted: boolean;
}

export interface Wanted {
  purpose: AttemptPurpose;
  /** Whether the newest attempt is so old that a cancellation is better than no replacement. */
  isOverdue: boolean;
  /** Whether no node takes it any more that answers: lower fees are valid then. */
  isRefused?: boolean;
}

/**
 * Decides the next attempt of a transaction at the market's fees: a cancellation where these exceed what its bound
 * leaves, by the higher price of two nodes where none has accepted it, or where it is overdue. Null where its fees would
 * exceed the ceiling, or even a cancellation the bound, or where it offers no more than an attempt that no node has accepted.
 */
export async function nextAttempt(
  chain: Chain,
  transaction: StoredTransaction,
  attempts: readonly StoredAttempt[],
  { purpose, isOverdue, isRefused = false }: Wanted,
): Promise<UnsignedAttempt | null> {
  const isAccepted = !isRefused && wasAccepted(attempts);
  const market = await feesFor(chain);
  const known = { chain, transaction, attempts, market, isOverdue, isAccepted };
  return (
    (await attemptOf(known, purpose)) ??
    // Over its bound, it would hold up later transactions and the caller's deadline.
    (isOverBound(known) || (isOverdue && !waitsForCeiling(known))
      ? attemptOf(known, 'cancellation')
      : null)
  );
}

/** Whether only the chain's highest fee keeps it from being accepted. */
const waitsForCeiling = ({ transaction, attempts, market, isAccepted }: Known): boolean =>
  transaction.maxCost === null &&
  !isAccepted &&
  attempts.every(({ maxFeePerGas }) => maxFeePerGas < market.higherPrice);

async function attemptOf(known: Known, purpose: AttemptPurpose): Promise<UnsignedAttempt | null> {
  const { chain, transaction } = known;
  const content = await contentOf(chain, purpose, transaction);
  const attempt = await affordableAttempt(known, purpose, content);
  if (attempt !== null || purpose === 'payload') return attempt;
  // One of two nodes may ask for more gas than the bound pays for.
  const smaller = await contentOf(chain, purpose, transaction, 'lower');
  return smaller.gasLimit < content.gasLimit ? affordableAttempt(known, purpose, smaller) : null;
}

async function affordableAttempt(
  known: Known,
  purpose: AttemptPurpose,
  content: TransactionContent,
): Promise<UnsignedAttempt | null> {
  if (isPaused(known)) return null;
  const { chain, transaction, attempts, market: first, isOverdue, isAccepted } = known;
  const [newest] = attempts;
  const isCancellation = purpose === 'cancellation';
  // One may have to follow each payload.
  const ceiling = isCancellation ? maxFeeOf(chain) : replaceableFee(maxFeeOf(chain));
  const market = newest === undefined ? first : raisedFees(first, ceiling);
  const dataFee = await dataFeeFor(chain, content, market);
  const bound = { gasLimit: content.gasLimit, dataFee, maxCost: transaction.maxCost };
  const affordable = boundedFees(market, bound);
  const highest = highestFee(bound, ceiling);
  if (affordable === null || highest === null) return null;
  if (newest && isAccepted) {
    const isUrgent = isCancellation && (isOverdue || newest.purpose === 'payload');
    const fees = replacementFees(newest, affordable, highest, isUrgent);
    return fees && { purpose, content, fees };
  }
  const next = { purpose, content, fees: affordable };
  return newest === undefined || isWorthwhile(next, newest, market) ? next : null;
}

/** Whether so many attempts were refused that the next one has to wait. */
function isPaused({ transaction, attempts, isAccepted }: Known): boolean {
  const [newest] = attempts;
  if (newest === undefined || attempts.length < MOST_REFUSED || isAccepted) return false;
  return newest.ageMs < transaction.ageMs / SHARE_OF_AGE;
}

/** Whether nodes may accept an attempt although they accepted none so far. */
function isWorthwhile(
  { purpose, content, fees }: UnsignedAttempt,
  newest: StoredAttempt,
  { higherPrice }: FeeOffers,
): boolean {
  if (purpose !== newest.purpose) return true;
  const { gas = 0n } = parseTransaction(newest.rawTransaction);
  const next = { ...fees, gasLimit: content.gasLimit };
  return isNewOffer(next, { ...newest, gasLimit: gas }, higherPrice);
}

/** Whether a transaction with a bound waits for cheaper gas: by the lower price of two nodes once one has accepted it. */
function isOverBound({ transaction, attempts, market, isAccepted }: Known): boolean {
  const [newest] = attempts;
  if (transaction.maxCost === null) return false;
  if (newest === undefined) return true;
  const price = isAccepted ? market.price : market.higherPrice;
  return price > newest.maxFeePerGas;
}
