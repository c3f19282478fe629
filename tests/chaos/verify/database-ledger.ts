import { parseTokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import { entryOf, type TokenLedger } from './token-ledger.js';
import { sum } from './chain-record.js';
import type { DatabaseRows, PaymentWithdrawalRow } from './database-rows.js';

type Mined = NonNullable<PaymentWithdrawalRow['mined']>;
type Rows = Pick<DatabaseRows, 'payments' | 'deposits' | 'legs' | 'paymentWithdrawals'>;

/** Builds a payment's ledger on all its chains from the services' rows. */
export function databaseLedger(id: string, rows: Rows): TokenLedger {
  const ledger: TokenLedger = new Map();
  const isOurs = ({ paymentId }: { paymentId: string }) => paymentId === id;
  const withdrawals = lastMinedWithdrawals(rows.paymentWithdrawals.filter(isOurs));
  const tokens = rows.payments.find((row) => row.id === id)?.legTokens ?? [];
  /** Only movements after the last withdrawal on a chain change the balance that it recorded. */
  const isLater = (token: TokenIdentifier, block: string): boolean =>
    BigInt(block) > BigInt(withdrawals.get(parseTokenIdentifier(token).chain)?.blockNumber ?? -1);

  for (const { token, amount } of [...withdrawals.values()].flatMap(({ remaining }) => remaining)) {
    entryOf(ledger, token).left += BigInt(amount);
  }
  for (const { token, amount, blockNumber, confirmed } of rows.deposits.filter(isOurs)) {
    if (!confirmed) continue;
    entryOf(ledger, token).deposits += BigInt(amount);
    if (isLater(token, blockNumber)) entryOf(ledger, token).left += BigInt(amount);
  }
  for (const { index, settlement } of rows.legs.filter(isOurs)) {
    const leg = tokens[index];
    if (!leg || settlement === null) continue;
    const fees = sum(settlement.fees.map(BigInt));
    const used = BigInt(settlement.input) + fees;
    const entry = entryOf(ledger, leg.input);
    entry.fees += fees;
    entry.used += used;
    if (isLater(leg.input, settlement.blockNumber)) entry.left -= used;
    const isLast = index === tokens.length - 1;
    entryOf(ledger, leg.output)[isLast ? 'paidOut' : 'bridged'] += BigInt(settlement.output);
  }
  for (const entry of ledger.values()) {
    entry.withdrawn = entry.deposits - entry.used - entry.left;
  }
  return ledger;
}

/** The last one of each chain: numbers of blocks are compared on one chain only. */
function lastMinedWithdrawals(rows: readonly PaymentWithdrawalRow[]): Map<string, Mined> {
  const last = new Map<string, Mined>();
  for (const { chain, mined } of rows) {
    const known = last.get(chain);
    if (mined === null) continue;
    if (!known || BigInt(mined.blockNumber) > BigInt(known.blockNumber)) last.set(chain, mined);
  }
  return last;
}
