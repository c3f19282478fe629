import type {
  AssetIdentifier,
  DecimalString,
  DeclarationBody,
  Geolocation,
  IntentOrderStatus,
  PaymentMethod,
  PaymentPlan,
  Quote,
  QuoteRequest,
  TokenAmount,
  TokenIdentifier,
  WithdrawalStatus,
} from '@bascule/contracts';
import type { BridgeTransfer } from '@bascule/venues';
import type { StoredStatus } from './transitions.js';

/** What is fixed when the payment is confirmed. */
export interface PaymentTerms {
  readonly id: string;
  readonly orgId: string;
  readonly createdAt: Date;
  readonly initiateFundBy: Date;
  readonly declarationExpiresAt: Date;
  readonly ownerChain: string;
  readonly ownerAddress: string;
  /** Where an owner that is a contract exists and can sign; null for one that signs everywhere. */
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
  /** Of every token in the plan. */
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
  /** Price of one whole unit when it was seen; null when no price was known. */
  readonly usdPrice: DecimalString | null;
  readonly sender: string | null;
  readonly transactionHash: string;
  /** Which transfer of the transaction: `log:<index>` or `trace:<path>`. */
  readonly position: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly blockTimestamp: Date;
  readonly confirmed: boolean;
}

export type LegStatus =
  | 'PENDING'
  /** A transaction is recorded; its outcome is awaited whatever else happens. */
  | 'EXECUTING'
  /** It left its chain for good, and has not reached the wallet on the next leg's chain for good. */
  | 'BRIDGING'
  | 'ATTEMPT_FAILED'
  | 'COMPLETE'
  | 'FAILED'
  | 'UNREACHABLE';

/** What a leg moved, read from its final receipt; smallest units. */
export interface LegSettlement {
  /** What left the wallet to be converted or paid out, less what came back; without the fees. */
  readonly input: bigint;
  /** As paid, in the order of the declared fees. */
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

/** What reached the wallet on the next leg's chain, in that leg's input token. */
export interface TransferFill extends InBlock {
  readonly amount: bigint;
}

/** What the owner took back on the leg's own chain, in the token that the leg sent. */
export interface TransferRefund extends InBlock {
  readonly recipient: string;
  readonly amount: bigint;
  readonly feeReceiver: string;
  readonly fee: bigint;
}

/** What a leg sent across, and what became of it in final blocks. */
export interface LegTransfer {
  readonly transfer: BridgeTransfer;
  readonly status: IntentOrderStatus;
  readonly filled: TransferFill | null;
  readonly refunded: TransferRefund | null;
}

export type LegFailureReason = 'slippage' | 'reverted' | 'expired' | 'unroutable' | 'bridge';

export interface LegFailure {
  readonly reason: LegFailureReason;
  readonly message: string;
  /** ISO 8601: since when attempts have come to nothing. */
  readonly since?: string;
  /** How many of them there were. */
  readonly tries?: number;
}

export interface Leg {
  readonly id: string;
  readonly index: number;
  readonly chain: string;
  readonly status: LegStatus;
  readonly attempts: number;
  readonly transactionHash: string | null;
  /** When the execution looks at it next. */
  readonly dueAt: Date | null;
  readonly settlement: LegSettlement | null;
  /** Null until a leg that bridges is settled, and on last legs. */
  readonly transfer: LegTransfer | null;
  readonly failure: LegFailure | null;
}

export interface WalletHolding {
  readonly token: TokenIdentifier;
  readonly amount: bigint;
  readonly decimals: number;
  readonly usdPrice: DecimalString | null;
}

/** The chain's `Withdrawn` log, and what the wallet held on that chain after its block; of an order, its refund. */
export interface LandedWithdrawal {
  readonly transactionHash: string;
  readonly blockNumber: bigint;
  readonly blockTimestamp: Date;
  readonly remaining: readonly WalletHolding[];
}

export interface Withdrawal {
  /** From the nonce, so a withdrawal that somebody else submitted has one too. */
  readonly withdrawId: string;
  readonly chain: string;
  readonly nonce: bigint;
  /** The order whose refund it is; null when the money comes from the wallet. */
  readonly orderId: string | null;
  readonly tokenAmounts: readonly TokenAmount[];
  readonly recipientAddress: string | null;
  readonly acceptBlame: boolean;
  readonly submitted: boolean;
  readonly status: WithdrawalStatus;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  /** Of the `withdrawal` topic's state; zero when only the chain told of it. */
  readonly version: number;
  readonly landed: LandedWithdrawal | null;
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
  /** Set once the provider says it has the customer's money. */
  readonly paidAt: Date | null;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  /** When the provider last answered a question about the order. */
  readonly polledAt: Date | null;
  readonly dueAt: Date | null;
}

/** A payment with everything that happened to it. The functions of this folder make a new one of it. */
export interface PaymentRecord extends PaymentTerms {
  /** The trace of the request that confirmed it, which everything that happens to it belongs to. */
  readonly traceparent: string | null;
  readonly status: StoredStatus;
  /** Set while `WITHDRAW_PENDING`: what is reported without `enable_withdraw_pending`. */
  readonly statusBeforeWithdrawal: StoredStatus | null;
  readonly funded: boolean;
  /** When the required amount was seen to have arrived in time. */
  readonly fundedInFullAt: Date | null;
  readonly version: number;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  /** When the deadlines are looked at next. */
  readonly dueAt: Date | null;
  readonly deposits: readonly Deposit[];
  readonly legs: readonly Leg[];
  readonly withdrawals: readonly Withdrawal[];
  readonly checkout: Checkout | null;
}
