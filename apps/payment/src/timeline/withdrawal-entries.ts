import type { TimelineEntryType, TimelineFacts } from '@bascule/contracts';
import type { PaymentRecord, Withdrawal } from '../life-cycle/payment-record.js';
import { blockFacts, messageFact } from './entry.js';
import type { NewEntry } from './entry.js';

const keyOf = ({ chain, nonce }: Withdrawal): string => `${chain} ${nonce}`;

/** Entries of withdrawals: what their service reported, and what the chain shows. */
export function withdrawalEntries(before: PaymentRecord, after: PaymentRecord): NewEntry[] {
  if (before.withdrawals === after.withdrawals) return [];
  const known = new Map(before.withdrawals.map((withdrawal) => [keyOf(withdrawal), withdrawal]));
  const minedHashes = new Set(after.withdrawals.map(({ mined }) => mined?.transactionHash));
  const changed = after.withdrawals.flatMap((withdrawal) =>
    changeEntries(known.get(keyOf(withdrawal)) ?? null, withdrawal),
  );
  const undone = before.withdrawals
    .filter(({ mined }) => mined !== null && !minedHashes.has(mined.transactionHash))
    .map((withdrawal) => entryOf('withdrawal.reorganised', withdrawal, minedFacts(withdrawal)));
  return [...undone, ...changed];
}

function entryOf(
  type: TimelineEntryType,
  { chain, withdrawId, transferId, version }: Withdrawal,
  facts: TimelineFacts = {},
): NewEntry {
  const withdraw_account = transferId === null ? 'SPW' : 'INTENT';
  // A refund found on chain only has no withdraw id.
  const id = withdrawId === transferId ? {} : { withdraw_id: withdrawId };
  const external = version === 0 ? { is_external: true } : {};
  return { type, facts: { chain, ...id, withdraw_account, ...external, ...facts } };
}

function changeEntries(before: Withdrawal | null, after: Withdrawal): NewEntry[] {
  if (before === after) return [];
  const amounts = {
    token_amounts: [...after.tokenAmounts],
    accept_blame: after.acceptBlame,
  };
  const isRequested = after.version > 0 && (before === null || before.version === 0);
  const isSubmitted = after.version > 0 && after.submitted && before?.submitted !== true;
  const isMined =
    after.mined !== null && after.mined.transactionHash !== before?.mined?.transactionHash;
  return [
    ...(isRequested ? [entryOf('withdrawal.requested', after, amounts)] : []),
    ...(isSubmitted ? [entryOf('withdrawal.submitted', after)] : []),
    ...(isMined ? [entryOf('withdrawal.mined', after, minedFacts(after))] : []),
    ...endEntries(before, after),
  ];
}

function endEntries(before: Withdrawal | null, after: Withdrawal): NewEntry[] {
  if (before?.status === after.status) return [];
  if (after.status === 'FAILED') {
    return [entryOf('withdrawal.failed', after, messageFact(after.failure))];
  }
  return after.status === 'EXPIRED' ? [entryOf('withdrawal.expired', after)] : [];
}

function minedFacts({ mined, tokenAmounts }: Withdrawal): TimelineFacts {
  if (mined === null) return {};
  return {
    transaction_hash: mined.transactionHash,
    ...blockFacts(mined),
    ...(tokenAmounts.length > 0 && { token_amounts: [...tokenAmounts] }),
  };
}
