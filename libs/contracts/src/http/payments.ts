import type { Issue, ParkedFundIssue, WithdrawAccount } from './issues.js';
import type { PaymentMethod } from './payment-methods.js';
import type { Fees, FulfilledStep, QuoteRequest, RouteStep } from './quotes.js';
import type {
  AssetAmount,
  AssetIdentifier,
  DecimalString,
  ChainName,
  EvmAddress,
  FiatCode,
  Geolocation,
  IntegerString,
  ProviderName,
  SmallestUnits,
  Timestamp,
  TokenIdentifier,
  TransactionHash,
  Uuid,
} from './wire.js';

export const PAYMENT_STATUSES = [
  'PENDING',
  'COMPLETE',
  'FAILED',
  'EXPIRED',
  'WITHDRAW_PENDING',
  'WITHDRAWN',
  'TAINTED',
  'UNCONFIRMED',
] as const;
/** Status of a payment. `UNCONFIRMED` only in the answer to a confirm that needs a signature. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const WITHDRAWAL_STATUSES = ['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED'] as const;
/** Status of a withdrawal; all but `PENDING` are final. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Declaration that fixes what the one-time wallet may do: integers as decimal strings, the native currency as the zero address. */
export interface DeclarationBody {
  /** Contract that deploys the wallet. */
  factory: EvmAddress;
  /** Payment id as 32 bytes in hexadecimal. */
  payment_id: string;
  /** Owner, which alone can withdraw. */
  owner: EvmAddress;
  /** Account that executes the legs. */
  executor: EvmAddress;
  /** Address that the payment pays out to. */
  destination: EvmAddress;
  /** End of validity, in seconds since 1970. */
  expiry: IntegerString;
  /** Steps of the payment, one for each chain. */
  legs: {
    /** Chain id (EIP-155). */
    chain_id: IntegerString;
    /** Token that the leg takes. */
    input_token: EvmAddress;
    /** Largest input in smallest units. */
    max_input: IntegerString;
    /** Fees and their receivers. */
    fees: {
      /** Receiver of the fee. */
      receiver: EvmAddress;
      /** Largest fee, in smallest units of the input token. */
      cap: IntegerString;
    }[];
    /** Token that the leg yields. */
    output_token: EvmAddress;
    /** Smallest output in smallest units. */
    min_output: IntegerString;
    /** Calls after the conversion, in their order. */
    custom_calls: {
      /** Called contract. */
      target: EvmAddress;
      /** Calldata in hexadecimal. */
      data: string;
      /** Native currency that is sent along, in wei. */
      value: IntegerString;
    }[];
    /** Adapter of the bridge; the zero address without one. */
    bridge_adapter: EvmAddress;
    /** Smallest amount that the bridge delivers, in smallest units. */
    min_bridged: IntegerString;
  }[];
}

/** Deposit that funds the payment. */
export interface DepositInfo {
  /** Token to send. */
  deposit_token: TokenIdentifier;
  /** Amount to send, in whole units. */
  deposit_amount: DecimalString;
  /** One-time address to send it to. */
  deposit_address: EvmAddress;
  /** Chain to send it on. */
  deposit_chain: ChainName;
}

export const VERIFICATION_REASONS = ['EVM_OWNER', 'EVM_WITHDRAWAL'] as const;
/** Purpose of a signature: control of the owner address, or a simulated withdrawal. */
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

export const SIGNATURE_TYPES = ['EIP712', 'EIP191'] as const;
/** `EIP712`: typed data, parsed from JSON; `EIP191`: a personal message. */
export type SignatureType = (typeof SIGNATURE_TYPES)[number];

/** Signature that the owner is asked for. */
export interface Verification {
  /** Purpose of the signature. */
  reason: VerificationReason;
  /** Way of signing. */
  signature_type: SignatureType;
  /** Text to sign: typed data as JSON, or a message. */
  payload: string;
}

/** Funding, by fiat or by token. */
export interface FundingInstruction {
  /** Kind of the instruction. */
  type: 'ONRAMP';
  /** Payment to fund. */
  payment_id: Uuid;
  /** Page on which the user pays; whoever has the link can fund or recover this payment. */
  funding_page_url: string;
  /** Deposits by which the payment can be funded. */
  deposit_info: DepositInfo[];
}

/** Signatures that the owner has to give before the payment is confirmed. */
export interface VerificationInstruction {
  /** Kind of the instruction. */
  type: 'USER_VERIFY';
  /** Token to send back with the signatures. */
  verification_token: string;
  /** Signatures to give, all of them in one request. */
  verifications: Verification[];
}

/** Action that is left for the user, discriminated by `type`. */
export type NextInstruction = FundingInstruction | VerificationInstruction;

/** Withdrawal from the payment's wallet. */
export interface PaymentWithdrawal {
  /** Status of the withdrawal. */
  status: WithdrawalStatus;
  /** Withdrawn amounts. */
  token_amounts: TokenAmount[];
  /** Recipient; absent while only the chain is known to have the withdrawal. */
  recipient_address?: EvmAddress;
  /** Transaction; null until the withdrawal is on its chain. */
  transaction_hash: TransactionHash | null;
  /** Problems of the withdrawal. */
  issues: Issue[];
}

/** Payment with its state now. */
export interface Payment {
  /** Id of the payment (UUIDv7). */
  payment_id: Uuid;
  /** Organisation of the payment. */
  org_id: Uuid;
  /** Status of the payment. */
  status: PaymentStatus;
  /** True once the required deposit is confirmed. */
  funded: boolean;
  /** Time of the confirm. */
  created_at: Timestamp;
  /** Time of the last change. */
  updated_at: Timestamp;
  /** Deadline of the deposit. */
  initiate_fund_by: Timestamp;
  /** Quote that was confirmed. */
  quoted: {
    /** Estimated output. */
    output_amount: AssetAmount;
    /** Fees of the quote. */
    fees: Fees;
    /** Steps of the quote. */
    route: RouteStep[];
    /** Onramp provider; absent when the input is a token. */
    onramp?: ProviderName;
    /** Payment method; absent when the input is a token. */
    onramp_method?: PaymentMethod;
    /** Estimated duration in seconds, from funding to delivery. */
    latency_seconds: number;
  };
  /** Execution of the quote so far. */
  fulfilled: {
    /** Steps with their state. */
    route: FulfilledStep[];
    /** Delivered output so far. */
    output_amount: AssetAmount;
    /** Fees of the executed steps. */
    fees: Fees;
    /** Onramp provider; absent when the payment was funded by token. */
    onramp?: ProviderName;
    /** Payment method; absent when the payment was funded by token. */
    onramp_method?: PaymentMethod;
  };
  /** Prices of one unit in `price_currency`, keyed by asset. */
  current_prices: Record<AssetIdentifier, DecimalString>;
  /** Currency of prices and fees. */
  price_currency: FiatCode;
  /** One-time wallet of the payment on each chain. */
  processing_addresses: {
    /** Chain of the wallet. */
    chain: ChainName;
    /** Address of the wallet. */
    address: EvmAddress;
    /** Contract that deploys the wallet. */
    factory: EvmAddress;
  }[];
  /** Chain of the owner. */
  owner_chain: ChainName;
  /** Owner, which alone can withdraw. */
  owner_address: EvmAddress;
  /** Address that the payment pays out to. */
  destination_address: EvmAddress;
  /** Withdrawals from the wallet; null without one. */
  withdrawals: PaymentWithdrawal[] | null;
  /** Page to return to after a checkout; null when unset. */
  client_redirect_url: string | null;
  /** Place of the customer; null when unknown. */
  geolocation: Geolocation | null;
  /** Limits of what the wallet may do, fixed by its address. */
  declaration: DeclarationBody;
  /** Time of the end; absent until the status is final. */
  completed_at?: Timestamp;
  /** Request that was quoted. */
  quote_request: QuoteRequest;
  /** Customer, as the client named it; only for secret keys. */
  customer_id?: string;
  /** Label of the client, at most 255 characters. */
  label?: string;
  /** Action that is left for the user; absent when there is none. */
  next_instruction?: NextInstruction;
  /** Problems of the payment. */
  issues: Issue[];
  /** Payment that this one retries. */
  parent_payment_id?: Uuid;
}

/** Balance that was read. */
export interface BalanceAmount {
  /** Kind of the value. */
  kind: 'amount';
  /** Balance in whole units; a withdrawal names all of it. */
  amount: DecimalString;
  /** Fee of a withdrawal now, in whole units of the token; the recipient gets `amount` less it. */
  withdrawal_fee: DecimalString;
  /** Smallest amount that can be withdrawn, in whole units. */
  min_withdrawal_amount: DecimalString;
}

/** Balance that could not be read. */
export interface BalanceError {
  /** Kind of the value. */
  kind: 'error';
}

/** Balance of one token at one address. */
export interface BalanceResult {
  /** Holder of the balance. */
  address: EvmAddress;
  /** Token of the balance. */
  token: TokenIdentifier;
  /** Balance, or that it could not be read. */
  value: BalanceAmount | BalanceError;
  /** Source for `POST /payments/withdraw`; absent where nothing can be withdrawn. */
  withdraw_account?: WithdrawAccount;
  /** `withdraw_account` in lower case. */
  account?: Lowercase<WithdrawAccount>;
}

/** Balances of a payment's wallet and of the queried addresses. */
export interface BalancesResponse {
  /** Every non-zero balance, the deposit token, and the queried ones. */
  balance_results: BalanceResult[];
  /** Always empty in this version. */
  future_withdrawable_balances: never[];
}

/** Money of an owner that no payment uses. */
export interface ParkedFundsResponse {
  /** Issues of kind `parked_fund`: of payments that hold recorded money, then of others, each newest first. */
  issues: ParkedFundIssue[];
  /** `pagination_key` of the next page, also of a page without issues; null on the last one. */
  next_pagination_key: string | null;
  /** Chains that could not be read: their issues come from the recorded deposits alone. */
  unread_chains: ChainName[];
}

/** Amount of a token. */
export interface TokenAmount {
  /** Token of the amount. */
  token: TokenIdentifier;
  /** Amount in whole units. */
  amount: DecimalString;
}

/** Withdrawal that waits for the owner's signature. */
export interface WithdrawResponse {
  /** `signature_type` in another spelling. */
  type: 'eip712' | 'erc191';
  /** Way of signing. */
  signature_type: SignatureType;
  /** Payment that is withdrawn from. */
  payment_id: Uuid;
  /** Id of the withdrawal. */
  withdraw_id: Uuid;
  /** Text for the owner to sign: typed data as JSON, or a message. */
  withdraw_authorization: string;
  /** Token for `POST /payments/withdraw/confirm`, opaque. */
  state_token: string;
}

/** Withdrawal and its state now. */
export interface WithdrawalStatusResponse {
  /** Id of the withdrawal. */
  withdraw_id: Uuid;
  /** Payment that is withdrawn from. */
  payment_id: Uuid;
  /** Status of the withdrawal. */
  status: WithdrawalStatus;
  /** Transaction; null until the withdrawal has one. */
  transaction_hash: TransactionHash | null;
}

/** Exact amount of a token, for the inside of the service. */
export interface TokenUnits {
  token: TokenIdentifier;
  amount: SmallestUnits;
}

/** Deposit that funds a payment, told by its link. */
export interface DepositInstructions {
  /** Payment to fund. */
  payment_id: Uuid;
  /** Deadline of the deposit. */
  initiate_fund_by: Timestamp;
  /** Deposits by which the payment can be funded. */
  deposit_info: DepositInfo[];
}

/** Receipt of a provider's callback. */
export interface CallbackReceived {
  /** True: the callback is stored. */
  received: true;
}
