import type { TokenIdentifier } from '@bascule/contracts';
import { isAcross } from './open-transfers.js';
import type { PaymentRecord, WalletHolding } from './payment-record.js';
import { holdings } from './wallet-ledger.js';

/** Balances of a wallet on one chain after a block that its scanner has recorded. */
export interface WalletReading {
  readonly chain: string;
  readonly blockNumber: bigint;
  /** Every readable token, also without a balance. */
  readonly balances: ReadonlyMap<TokenIdentifier, WalletHolding>;
  /** Some token of the catalogue could not be read. */
  readonly isPartial: boolean;
}

/**
 * Holdings as read from the chains. The recorded facts count for tokens and chains without a reading, and for chains
 * with facts of later blocks.
 */
export function currentHoldings(
  payment: PaymentRecord,
  readings: readonly WalletReading[],
): WalletHolding[] {
  const current = readings.filter((reading) => !hasLaterFacts(payment, reading));
  const isRead = ({ token }: WalletHolding): boolean =>
    current.some(({ balances }) => balances.has(token));
  return [
    ...holdings(payment).filter((holding) => !isRead(holding)),
    ...current.flatMap(({ balances }) =>
      [...balances.values()].filter(({ amount }) => amount > 0n),
    ),
  ];
}

/** True when only a new fact can bring money to the wallet: no chain has any, and no bridge. */
export function isEmptied(payment: PaymentRecord, readings: readonly WalletReading[]): boolean {
  return (
    readings.every((reading) => !reading.isPartial && !hasLaterFacts(payment, reading)) &&
    currentHoldings(payment, readings).length === 0 &&
    !payment.legs.some((leg) => isAcross(payment, leg))
  );
}

/** A fact of a block after the reading, which the reading therefore lacks. */
function hasLaterFacts(payment: PaymentRecord, { chain, blockNumber }: WalletReading): boolean {
  const { deposits, legs, withdrawals } = payment;
  return (
    deposits.some((deposit) => deposit.chain === chain && deposit.blockNumber > blockNumber) ||
    legs.some((leg) => leg.chain === chain && (leg.settlement?.blockNumber ?? 0n) > blockNumber) ||
    withdrawals.some(
      (withdrawal) =>
        withdrawal.chain === chain && (withdrawal.mined?.blockNumber ?? 0n) > blockNumber,
    )
  );
}
