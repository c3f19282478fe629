import type {
  AssetIdentifier,
  BridgeTransfer,
  DecimalString,
  DeclarationBody,
  Geolocation,
  KeyMode,
  PaymentMethod,
  PaymentPlan,
  Quote,
  QuoteRequest,
  SendersState,
  StoredPaymentStatus,
  TokenAmount,
  TokenIdentifier,
  TransferStatus,
  WithdrawalStatus,
} from '@bascule/contracts';

/** Terms fixed by the confirmation. */
export interface PaymentTerms {
  readonly id: string;
  readonly orgId: string;
  /** Mode of the key that quoted it. */
  readonly mode: KeyMode;
  readonly createdAt: Date;
  readonly initiateFundBy: Date;
  readonly declarationExpiresAt: Date;
  readonly ownerChain: string;
  readonly ownerAddress: string;
  /** Chains on which an owner that is a contract exists; null for a key, which signs everywhere. */
  readonly ownerChains: readonly string[] | null;
  readonly destinationAddress: string;
  /** The one-time wallet, the same on every chain. */
  readonly walletAddress: string;
  readonly declaration: DeclarationBody;
  readonly declarationHash: `0x${string}`;
  readonly plan: PaymentPlan;
  readonly quoted: Quote;
  readonly quoteRequest: QuoteRequest;
  readonly currentPrices: Readonly<Record<AssetIdentifier, DecimalString>>;
  readonly priceCurrency: string;
  /** Decimals of every token in the plan. */
  readonly decimals: Readonly<Record<TokenIdentifier, number>>;
  readonly geolocation: Geolocation | null;
  readonly clientRedirectUrl: string | null;
  readonly clientRedirectAfter: ClientRedirectAfter | null;
}

export type ClientRedirectAfter = 'COMPLETED' | 'FUNDED';

/** Tokens that reached the wallet, as one transfer on one chain. */
export interface Deposit {
  readonly id: string;
  readonly chain: string;
  readonly token: TokenIdentifier;
  /** Smallest units. */
  readonly amount: bigint;
  readonly decimals: number;
  /** Price of one whole unit when the deposit was seen; null without a price. */
  readonly usdPrice: DecimalString | null;
  /** Null where it cannot be known. */
  readonly sender: string | null;
  /** The block's hash where the transaction cannot be known ({@link transactionOf}). */
  readonly transactionHash: string;
  /**
   * Position of the transfer in its transaction: `log:<index>`, `trace:<path>`, or `call:<path>` by another tracer. A
   * rise of the balance that no transaction explains is `balance:<wallet>`, or `balance:<wallet>:<number>`.
   */
  readonly position: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly blockTimestamp: Date;
  readonly confirmed: boolean;
  /** Set where this is the sum of many small deposits: nothing is told about each of them. */
  readonly sum?: DepositSum | undefined;
}

/** Facts that the small deposits of a sum share. Its block number is their lowest, its time their latest. */
export interface DepositSum {
  readonly count: number;
  /** Whether their senders are sanctioned; null without a verdict. */
  readonly isSanctioned: boolean | null;
}

/** Transaction of a deposit; null where it cannot be known. */
export const transactionOf = ({ transactionHash, blockHash }: Deposit): string | null =>
  transactionHash === blockHash ? null : transactionHash;

/** Whether nobody can say who sent a deposit: only the wallet's balance shows it. */
export const isFromUnknown = ({ position, sender }: Deposit): boolean =>
  sender === null && position.startsWith('balance:');

export type LegStatus =
  | 'PENDING'
  /** A transaction is recorded, and its outcome is awaited whatever else happens. */
  | 'EXECUTING'
  /** Final on its own chain; the delivery on the next leg's chain is not final yet. */
  | 'BRIDGING'
  | 'ATTEMPT_FAILED'
  | 'COMPLETE'
  | 'FAILED'
  | 'UNREACHABLE';

/** Amounts of a leg, read from its final receipt; smallest units. */
export interface LegSettlement {
  /** Amount converted or paid out: less the returned rest, without the fees. */
  readonly input: bigint;
  /** Paid fees, in the declared order. */
  readonly fees: readonly bigint[];
  readonly output: bigint;
  readonly blockNumber: bigint;
  readonly blockTimestamp: Date;
}

interface InBlock {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly blockTimestamp: Date;
}

/** Delivery to the wallet on the next leg's chain, in that leg's input token. */
export interface TransferFill extends InBlock {
  readonly amount: bigint;
}

/** Refund on the leg's own chain, in the token that the leg sent. */
export interface TransferRefund extends InBlock {
  readonly recipient: string;
  readonly amount: bigint;
  readonly feeReceiver: string;
  readonly fee: bigint;
}

/** Refund of an undelivered transfer to the wallet, by this service. */
export interface WalletRefund {
  /** Number of recorded transactions. */
  readonly attempts: number;
  /** The outcome of the last one is awaited. */
  readonly isPending: boolean;
  /** The transfer was worth less than the refund's gas when it was last compared. */
  readonly isUneconomic: boolean;
}

/** Bridge transfer of a leg, and its outcome in final blocks. */
export interface LegTransfer {
  readonly transfer: BridgeTransfer;
  readonly status: TransferStatus;
  readonly filled: TransferFill | null;
  readonly refunded: TransferRefund | null;
  readonly walletRefund: WalletRefund;
}

export type LegFailureReason = 'slippage' | 'reverted' | 'expired' | 'unroutable' | 'bridge';

export interface LegFailure {
  readonly reason: LegFailureReason;
  readonly message: string;
  /** Time of the first failed attempt, ISO 8601. */
  readonly since?: string;
  /** Number of failed attempts. */
  readonly tries?: number;
  /** Venues whose conversions failed in a simulation. */
  readonly refutedVenues?: readonly string[];
}

/** Conversion of a leg's last attempt, as it was planned. */
export interface AttemptConversion {
  readonly attempt: number;
  readonly venue: string;
  /** Expected output, in the smallest unit of the leg's output token. */
  readonly quoted: bigint;
}

export interface Leg {
  readonly id: string;
  readonly index: number;
  readonly chain: string;
  readonly status: LegStatus;
  readonly attempts: number;
  readonly transactionHash: string | null;
  /** Null for a leg without a conversion, and once a reorg has undone a measured one. */
  readonly conversion: AttemptConversion | null;
  /** Next time for the leg worker. */
  readonly dueAt: Date | null;
  readonly settlement: LegSettlement | null;
  /** Null on last legs, and until a bridging leg has settled. */
  readonly transfer: LegTransfer | null;
  readonly failure: LegFailure | null;
}

export interface WalletHolding {
  readonly token: TokenIdentifier;
  readonly amount: bigint;
  readonly decimals: number;
  readonly usdPrice: DecimalString | null;
}

/** The chain's `Withdrawn` log with the wallet's holdings after its block, or the refund of a transfer. */
export interface MinedWithdrawal {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly blockTimestamp: Date;
  readonly remaining: readonly WalletHolding[];
}

export interface Withdrawal {
  /** Read from the nonce, so that a withdrawal from outside has one too. */
  readonly withdrawId: string;
  readonly chain: string;
  readonly nonce: bigint;
  /** The bridge transfer that it refunds; null for a withdrawal from the wallet. */
  readonly transferId: string | null;
  readonly tokenAmounts: readonly TokenAmount[];
  readonly recipientAddress: string | null;
  readonly acceptBlame: boolean;
  readonly submitted: boolean;
  readonly status: WithdrawalStatus;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  /** Version of the `withdrawal` topic's state; zero for a withdrawal known from the chain alone. */
  readonly version: number;
  readonly mined: MinedWithdrawal | null;
}

export type CheckoutStatus =
  'CREATED' | 'AWAITING_PAYMENT' | 'PROCESSING' | 'DELIVERED' | 'FAILED' | 'REFUNDED' | 'UNKNOWN';

export interface Checkout {
  readonly provider: string;
  readonly method: PaymentMethod;
  readonly checkoutId: string | null;
  readonly url: string | null;
  readonly urlExpiresAt: Date | null;
  readonly status: CheckoutStatus;
  /** Time at which the provider had the customer's money; null before. */
  readonly paidAt: Date | null;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  /** Time of the provider's last answer about the order. */
  readonly polledAt: Date | null;
  readonly dueAt: Date | null;
}

/** A payment with all recorded facts; never changed in place. */
export interface PaymentRecord extends PaymentTerms {
  /** Trace of the confirm request; every later change belongs to it. */
  readonly traceparent: string | null;
  readonly status: StoredPaymentStatus;
  /** Set while `WITHDRAW_PENDING`; reported unless `enable_withdraw_pending` is set. */
  readonly statusBeforeWithdrawal: StoredPaymentStatus | null;
  readonly funded: boolean;
  /** Time at which the required amount was recorded as arrived in time. */
  readonly fundedInFullAt: Date | null;
  readonly version: number;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  /** Next check of the deadlines. */
  readonly dueAt: Date | null;
  readonly deposits: readonly Deposit[];
  readonly legs: readonly Leg[];
  readonly withdrawals: readonly Withdrawal[];
  readonly checkout: Checkout | null;
  /** Whether withdrawals wait for verdicts about senders, or are refused because of them. */
  readonly senders: SendersState;
  /** Tokens without a price that came from sanctioned senders, in order. */
  readonly frozenTokens: readonly TokenIdentifier[];
  /** Null unless it was tainted; also in payments from before the cause was recorded. */
  readonly taintedBy: TaintCause | null;
}

/** Role of the address that tainted a payment. */
export type TaintCause = 'owner' | 'destination' | 'sender';

/** Builds the record of a payment that has just been confirmed. */
export const newPayment = (
  terms: PaymentTerms,
  newId: () => string,
  traceparent?: string,
): PaymentRecord => ({
  ...terms,
  traceparent: traceparent ?? null,
  status: 'PENDING',
  statusBeforeWithdrawal: null,
  funded: false,
  fundedInFullAt: null,
  version: 1,
  updatedAt: terms.createdAt,
  completedAt: null,
  dueAt: terms.initiateFundBy,
  deposits: [],
  legs: terms.plan.legs.map(({ chain }, index) => ({
    id: newId(),
    index,
    chain,
    status: 'PENDING',
    attempts: 0,
    transactionHash: null,
    conversion: null,
    dueAt: null,
    settlement: null,
    transfer: null,
    failure: null,
  })),
  withdrawals: [],
  checkout: null,
  senders: 'CLEAR',
  frozenTokens: [],
  taintedBy: null,
});

/** Returns the decimals of a token in the payment's plan. */
export function decimalsOf(payment: PaymentRecord, token: TokenIdentifier): number {
  const decimals = payment.decimals[token];
  if (decimals === undefined) throw new Error(`payment ${payment.id} has no decimals of ${token}`);
  return decimals;
}
