import type { AttemptFact } from '@bascule/transactions';
import type { NewEntry } from '../timeline/entry.js';
import { parseLegReference } from './leg-reference.js';
import { parseWalletRefundReference } from './wallet-refund-reference.js';

interface AttemptNote {
  paymentId: string;
  entry: NewEntry;
}

/** Entry about a transaction on its way; null for one of no payment. */
export function attemptNote(fact: AttemptFact): AttemptNote | null {
  const leg = parseLegReference(fact.reference);
  const about = leg ?? parseWalletRefundReference(fact.reference);
  if (about === null) return null;
  const { chain, kind, purpose, hash } = fact;
  return {
    paymentId: about.paymentId,
    entry: {
      type: `${leg === null ? 'refund' : 'leg'}.${kind}`,
      facts: {
        leg: about.legIndex,
        chain,
        attempt: about.attempt,
        transaction_hash: hash,
        ...(purpose === 'cancellation' && { reason: 'cancellation' }),
      },
    },
  };
}
