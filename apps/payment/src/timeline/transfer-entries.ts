import { formatAmount } from '@bascule/amounts';
import type { TimelineEntryType, TimelineFacts, TokenIdentifier } from '@bascule/contracts';
import { decimalsOf } from '../life-cycle/payment-record.js';
import type { Leg, LegTransfer, PaymentRecord } from '../life-cycle/payment-record.js';
import { isWalletRefund } from '../life-cycle/wallet-refunds.js';
import { blockFacts } from './entry.js';
import type { NewEntry } from './entry.js';

/** Entries of a leg's transfer: opened, delivered or not, refunded, and undone by a reorg. */
export function transferEntries(payment: PaymentRecord, before: Leg, after: Leg): NewEntry[] {
  const earlier = before.transfer;
  const transfer = after.transfer;
  if (transfer === null) return earlier === null ? [] : [undone(before, earlier)];
  const isNew = earlier?.transfer.id !== transfer.transfer.id;
  const known = isNew ? null : earlier;
  return [
    ...(isNew && earlier !== null ? [undone(before, earlier)] : []),
    ...(isNew ? [opened(payment, after, transfer)] : []),
    ...outcomeEntries(payment, after, known, transfer),
    ...arrivalEntries(before, after, transfer),
    ...refundEntries(after, known, transfer),
  ];
}

const entryOf = (type: TimelineEntryType, leg: Leg, facts: TimelineFacts): NewEntry => ({
  type,
  facts: { leg: leg.index, ...facts },
});

const amountFacts = (
  payment: PaymentRecord,
  token: TokenIdentifier,
  amount: bigint,
): TimelineFacts => ({ token, amount: formatAmount(amount, decimalsOf(payment, token)) });

const undone = (leg: Leg, { transfer, filled, refunded }: LegTransfer): NewEntry => {
  const lost = refunded ?? filled;
  return entryOf('transfer.reorganised', leg, {
    chain: filled === null ? transfer.originChain : transfer.destinationChain,
    ...(lost !== null && { transaction_hash: lost.transactionHash, ...blockFacts(lost) }),
  });
};

const opened = (payment: PaymentRecord, leg: Leg, { transfer }: LegTransfer): NewEntry =>
  entryOf('transfer.opened', leg, {
    chain: transfer.originChain,
    destination_chain: transfer.destinationChain,
    ...amountFacts(payment, transfer.inputToken, transfer.amount),
    withdraw_account: transfer.withdrawAccount,
    until: transfer.fillDeadline.toISOString(),
  });

const outcomeHash = (transfer: LegTransfer | null): string | null =>
  transfer?.filled?.transactionHash ?? transfer?.refunded?.transactionHash ?? null;

function outcomeEntries(
  payment: PaymentRecord,
  leg: Leg,
  before: LegTransfer | null,
  after: LegTransfer,
): NewEntry[] {
  const [earlierHash, hash] = [outcomeHash(before), outcomeHash(after)];
  if (before?.status === after.status && hash === earlierHash) return [];
  const isUndone = before !== null && earlierHash !== null && earlierHash !== hash;
  if (!isUndone) return outcome(payment, leg, after);
  return [undone(leg, before), ...(hash === null ? [] : outcome(payment, leg, after))];
}

function outcome(payment: PaymentRecord, leg: Leg, current: LegTransfer): NewEntry[] {
  const { transfer, status, filled, refunded } = current;
  if (status === 'UNFILLED') return [entryOf('transfer.unfilled', leg, origin(current))];
  if (status === 'LOST') return [entryOf('transfer.lost', leg, origin(current))];
  if (status === 'FILLED' && filled !== null) {
    return [
      entryOf('transfer.filled', leg, {
        chain: transfer.destinationChain,
        transaction_hash: filled.transactionHash,
        ...blockFacts(filled),
        ...amountFacts(payment, transfer.outputToken, filled.amount),
      }),
    ];
  }
  if (status !== 'REFUNDED' || refunded === null) return [];
  return [
    entryOf('transfer.refunded', leg, {
      ...origin(current),
      transaction_hash: refunded.transactionHash,
      ...blockFacts(refunded),
      ...amountFacts(payment, transfer.inputToken, refunded.amount),
      is_to_wallet: isWalletRefund(payment, refunded),
    }),
  ];
}

const origin = ({ transfer }: LegTransfer): TimelineFacts => ({ chain: transfer.originChain });

/** The delivery became final in the wallet, or a reorg took it away. */
function arrivalEntries(before: Leg, after: Leg, { transfer, filled }: LegTransfer): NewEntry[] {
  if (before.status === after.status) return [];
  const facts = {
    chain: transfer.destinationChain,
    ...(filled !== null && { transaction_hash: filled.transactionHash }),
  };
  if (after.status === 'COMPLETE') return [entryOf('transfer.arrived', after, facts)];
  const isUndone = before.status === 'COMPLETE' && after.status === 'BRIDGING';
  return isUndone ? [entryOf('transfer.reorganised', after, facts)] : [];
}

function refundEntries(leg: Leg, before: LegTransfer | null, after: LegTransfer): NewEntry[] {
  const earlier = before?.walletRefund;
  const { attempts, isPending, isUneconomic } = after.walletRefund;
  const facts = { ...origin(after), attempt: attempts };
  const isSubmitted = attempts > (earlier?.attempts ?? 0);
  const hasFailed = earlier?.isPending === true && !isPending && after.status === 'UNFILLED';
  return [
    ...(isSubmitted ? [entryOf('refund.submitted', leg, facts)] : []),
    ...(hasFailed ? [entryOf('refund.failed', leg, facts)] : []),
    ...(isUneconomic && earlier?.isUneconomic !== true
      ? [entryOf('refund.uneconomic', leg, origin(after))]
      : []),
  ];
}
