import type { DecimalString, SmallestUnits, TokenIdentifier, Timestamp } from '@bascule/contracts';
import type {
  AttemptConversion,
  Checkout,
  Deposit,
  MinedWithdrawal,
  Leg,
  LegSettlement,
  LegTransfer,
  PaymentRecord,
  TransferFill,
  TransferRefund,
  Withdrawal,
} from '../life-cycle/payment-record.js';
import { NO_WALLET_REFUND } from '../life-cycle/wallet-refunds.js';

/** A type as JSON stores it: big integers and dates are strings. */
type Stored<T, Bigints extends keyof T, Dates extends keyof T> = Omit<T, Bigints | Dates> &
  Record<Bigints, string> & { [D in Dates]: null extends T[D] ? Timestamp | null : Timestamp };

export type StoredLegSettlement = Omit<
  Stored<LegSettlement, 'input' | 'output' | 'blockNumber', 'blockTimestamp'>,
  'fees'
> & { fees: string[] };

export type StoredConversion = Stored<AttemptConversion, 'quoted', never>;

interface StoredHolding {
  token: TokenIdentifier;
  amount: SmallestUnits;
  decimals: number;
  usdPrice: DecimalString | null;
}

export type StoredMinedWithdrawal = Omit<
  Stored<MinedWithdrawal, 'blockNumber', 'blockTimestamp'>,
  'remaining'
> & { remaining: StoredHolding[] };

type SentTransfer = LegTransfer['transfer'];
type StoredFill = Stored<TransferFill, 'amount' | 'blockNumber', 'blockTimestamp'>;
type StoredRefund = Stored<TransferRefund, 'amount' | 'fee' | 'blockNumber', 'blockTimestamp'>;

/** Stored rows call the bridge's details `order`; older rows have neither withdraw account nor wallet refund. */
export interface StoredTransfer {
  transfer: Stored<
    Omit<SentTransfer, 'details' | 'withdrawAccount'>,
    'amount' | 'originFromBlock' | 'destinationFromBlock',
    'fillDeadline'
  > & { order: unknown; withdrawAccount?: SentTransfer['withdrawAccount'] };
  status: LegTransfer['status'];
  filled: StoredFill | null;
  refunded: StoredRefund | null;
  walletRefund?: LegTransfer['walletRefund'];
}

export type StoredDeposit = Stored<Deposit, 'amount' | 'blockNumber', 'blockTimestamp'>;
type StoredLeg = Omit<Stored<Leg, never, 'dueAt'>, 'conversion' | 'settlement' | 'transfer'> & {
  conversion: StoredConversion | null;
  settlement: StoredLegSettlement | null;
  transfer: StoredTransfer | null;
};
type StoredWithdrawal = Omit<Stored<Withdrawal, 'nonce', never>, 'mined'> & {
  mined: StoredMinedWithdrawal | null;
};
type StoredCheckout = Stored<Checkout, never, 'urlExpiresAt' | 'paidAt' | 'polledAt' | 'dueAt'>;

type PaymentDates =
  | 'createdAt'
  | 'updatedAt'
  | 'completedAt'
  | 'dueAt'
  | 'initiateFundBy'
  | 'declarationExpiresAt'
  | 'fundedInFullAt';

/** Row of the read statement, with the record's names. */
export type PaymentRow = Omit<
  Stored<PaymentRecord, never, PaymentDates>,
  'deposits' | 'legs' | 'withdrawals' | 'checkout'
> & {
  /** The database's time. */
  now: Timestamp;
  timelineLength: number;
  deposits: StoredDeposit[];
  /** Null without sums. */
  summedDeposits: StoredDeposit[] | null;
  legs: StoredLeg[];
  withdrawals: StoredWithdrawal[];
  checkout: StoredCheckout | null;
};

export const recordOfRow = ({
  now: _now,
  timelineLength: _length,
  summedDeposits,
  ...row
}: PaymentRow): PaymentRecord => ({
  ...row,
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  completedAt: dateOf(row.completedAt),
  dueAt: dateOf(row.dueAt),
  initiateFundBy: new Date(row.initiateFundBy),
  declarationExpiresAt: new Date(row.declarationExpiresAt),
  fundedInFullAt: dateOf(row.fundedInFullAt),
  deposits: [...(summedDeposits ?? []), ...row.deposits].map(depositOf),
  legs: row.legs.map((leg) => ({
    ...leg,
    dueAt: dateOf(leg.dueAt),
    conversion: leg.conversion && { ...leg.conversion, quoted: BigInt(leg.conversion.quoted) },
    settlement: leg.settlement === null ? null : settlementOf(leg.settlement),
    transfer: leg.transfer === null ? null : transferOf(leg.transfer),
  })),
  withdrawals: row.withdrawals.map((withdrawal) => ({
    ...withdrawal,
    nonce: BigInt(withdrawal.nonce),
    mined: withdrawal.mined === null ? null : minedWithdrawalOf(withdrawal.mined),
  })),
  checkout: row.checkout === null ? null : checkoutOf(row.checkout),
});

export const depositOf = (stored: StoredDeposit): Deposit => ({
  ...stored,
  amount: BigInt(stored.amount),
  blockNumber: BigInt(stored.blockNumber),
  blockTimestamp: new Date(stored.blockTimestamp),
});

const dateOf = (value: Timestamp | null): Date | null => (value === null ? null : new Date(value));

const settlementOf = (stored: StoredLegSettlement): LegSettlement => ({
  input: BigInt(stored.input),
  fees: stored.fees.map(BigInt),
  output: BigInt(stored.output),
  blockNumber: BigInt(stored.blockNumber),
  blockTimestamp: new Date(stored.blockTimestamp),
});

const transferOf = ({
  transfer: { order: details, withdrawAccount = 'INTENT', ...transfer },
  status,
  filled,
  refunded,
  walletRefund = NO_WALLET_REFUND,
}: StoredTransfer): LegTransfer => ({
  walletRefund,
  transfer: {
    ...transfer,
    details,
    withdrawAccount,
    amount: BigInt(transfer.amount),
    originFromBlock: BigInt(transfer.originFromBlock),
    destinationFromBlock: BigInt(transfer.destinationFromBlock),
    fillDeadline: new Date(transfer.fillDeadline),
  },
  status,
  filled: filled && { ...inBlock(filled), amount: BigInt(filled.amount) },
  refunded: refunded && {
    ...inBlock(refunded),
    recipient: refunded.recipient,
    amount: BigInt(refunded.amount),
    feeReceiver: refunded.feeReceiver,
    fee: BigInt(refunded.fee),
  },
});

const inBlock = (
  stored: Pick<StoredFill, 'transactionHash' | 'blockNumber' | 'blockTimestamp'>,
) => ({
  transactionHash: stored.transactionHash,
  blockNumber: BigInt(stored.blockNumber),
  blockTimestamp: new Date(stored.blockTimestamp),
});

const minedWithdrawalOf = (stored: StoredMinedWithdrawal): MinedWithdrawal => ({
  transactionHash: stored.transactionHash,
  blockNumber: BigInt(stored.blockNumber),
  blockTimestamp: new Date(stored.blockTimestamp),
  remaining: stored.remaining.map((holding) => ({ ...holding, amount: BigInt(holding.amount) })),
});

const checkoutOf = (stored: StoredCheckout): Checkout => ({
  ...stored,
  urlExpiresAt: dateOf(stored.urlExpiresAt),
  paidAt: dateOf(stored.paidAt),
  polledAt: dateOf(stored.polledAt),
  dueAt: dateOf(stored.dueAt),
});

/** JSON of a leg's transfer for its column. */
export function transferToJson(sent: LegTransfer | null): string | null {
  if (sent === null) return null;
  const { details: order, ...transfer } = sent.transfer;
  return toJson({ ...sent, transfer: { ...transfer, order } });
}

/** JSON for a jsonb column, with integers as strings. */
export const toJson = (value: unknown): string | null =>
  value === null
    ? null
    : JSON.stringify(value, (_key, item: unknown) =>
        typeof item === 'bigint' ? item.toString() : item,
      );
