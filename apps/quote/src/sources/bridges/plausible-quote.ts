import type { MessageIssue } from '@bascule/contracts';
import type { BridgeQuote } from '@bascule/venues';
import type { Amount } from '../../routes/fee-breakdown.js';
import { BEST_BRIDGE_RATE, tooGoodToBeTrue } from '../plausible-delivery.js';
import type { PriceBook } from '../../routes/price-book.js';

/** No bridge that is worth waiting for takes longer. */
const LONGEST_SECONDS = 86_400;

/**
 * Why a bridge's word cannot be true, or null.
 * @throws MissingPriceError
 */
export function implausibleQuote(o: {
  quote: BridgeQuote;
  sent: Amount;
  delivered: Amount;
  prices: PriceBook;
}): MessageIssue | null {
  const { quote, sent, delivered, prices } = o;
  const by = quote.bridge;
  if (delivered.units <= 0n) return { kind: 'provider', message: `${by}: would deliver nothing` };
  const { latencySeconds } = quote;
  if (!(latencySeconds >= 0 && latencySeconds <= LONGEST_SECONDS)) {
    return { kind: 'provider', message: `${by}: does not say how long it takes` };
  }
  return tooGoodToBeTrue({ by, paid: sent, delivered, bestRate: BEST_BRIDGE_RATE, prices });
}
