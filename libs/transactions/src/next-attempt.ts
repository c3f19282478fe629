import { feesFor, maxFeeOf } from '@bascule/chain';
import type { Chain, FeeOffers, MarketFees } from '@bascule/chain';
import { parseTransaction } from 'viem';
import { boundedFees, highestFee, highestPrice } from './bounded-fees.js';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import { isNewOffer, replacementFees } from './replacement-fees.js';
import { contentOf, dataFeeFor } from './signed-attempt.js';
import type { TransactionContent, UnsignedAttempt } from './signed-attempt.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';

/** Whether a node has ever accepted an attempt: until then no node expects higher fees, and lower ones are valid. */
export const wasAccepted = (attempts: readonly StoredAttempt[]): boolean =>
  attempts.some(({ broadcastAgeMs }) => broadcastAgeMs !== null);

/** Attempts of which none was accepted, after which further ones are rare: else a node whose prices vary has them stored without end. */
const MOST_REFUSED = 30;
const RARELY_MS = 30 * 60_000;

interface Known {
  chain: Chain;
  transaction: StoredTransaction;
  /** Newest first. */
  attempts: readonly StoredAttempt[];
  market: FeeOffers;
}

/**
 * Decides the next attempt of a transaction at the market's fees: a cancellation where these exceed what its bound
 * leaves, by the higher price of two nodes where none has accepted it. Null where its fees would exceed the ceiling, or
 * even a cancellation the bound, or where it offers no more than an attempt that no node has accepted.
 */
export async function nextAttempt(
  chain: Chain,
  transaction: StoredTransaction,
  attempts: readonly StoredAttempt[],
  purpose: AttemptPurpose,
): Promise<UnsignedAttempt | null> {
  const known = { chain, transaction, attempts, market: await feesFor(chain) };
  return (
    (await attemptOf(known, purpose)) ??
    // Over its bound, it would hold up later transactions and the caller's deadline.
    (isOverBound(known) ? attemptOf(known, 'cancellation') : null)
  );
}

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
  { chain, transaction, attempts, market: first }: Known,
  purpose: AttemptPurpose,
  content: TransactionContent,
): Promise<UnsignedAttempt | null> {
  const [newest] = attempts;
  // Nodes may demand the tip that only the higher one of two has told.
  const market = newest === undefined ? first : { ...first, ...first.risen };
  const isRefused = newest !== undefined && !wasAccepted(attempts);
  if (isRefused && attempts.length >= MOST_REFUSED && newest.ageMs < RARELY_MS) return null;
  const dataFee = await dataFeeFor(chain, content, market);
  const bound = { gasLimit: content.gasLimit, dataFee, maxCost: transaction.maxCost };
  const affordable = boundedFees(market, bound);
  const highest = highestFee(bound, maxFeeOf(chain));
  if (affordable === null || highest === null) return null;
  if (newest && !isRefused) {
    const fees = replacementFees(newest, affordable, highest);
    return fees && { purpose, content, fees };
  }
  const next = { purpose, content, fees: affordable };
  return newest === undefined || isWorthwhile(next, newest, market) ? next : null;
}

/** Whether nodes may accept an attempt although they accepted none so far. */
function isWorthwhile(
  { purpose, content, fees }: UnsignedAttempt,
  newest: StoredAttempt,
  market: MarketFees,
): boolean {
  if (purpose !== newest.purpose) return true;
  const { gas = 0n } = parseTransaction(newest.rawTransaction);
  const next = { ...fees, gasLimit: content.gasLimit };
  return isNewOffer(next, { ...newest, gasLimit: gas }, highestPrice(market));
}

/** Whether a transaction with a bound waits for cheaper gas. By the higher price of two nodes: else one that lies keeps its nonce waiting. */
const isOverBound = ({ transaction, attempts: [newest], market }: Known): boolean =>
  transaction.maxCost !== null &&
  (newest === undefined || highestPrice(market) > newest.maxFeePerGas);
