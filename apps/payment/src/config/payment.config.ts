import { parseDecimal } from '@bascule/amounts';
import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import type { DecimalString } from '@bascule/contracts';
import { geolocationEnv } from '@bascule/geolocation';
import type { GeolocationConfig } from '@bascule/geolocation';
import { privateKey } from '@bascule/identity';
import type { PrivateKey } from '@bascule/identity';
import { httpEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { eventEnv, parseKafkaConfig } from '@bascule/messaging';
import type { EventConfig, KafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import {
  collectProblems,
  integer,
  makeValidator,
  milliseconds,
  parseConfig,
  freezeConfig,
  str,
  url,
} from '@bascule/process';
import type { Parsed, Reloadable } from '@bascule/process';
import { providersEnv } from '@bascule/providers';
import type { OnrampProvider, ProvidersConfig } from '@bascule/providers';
import { screeningConfig, screeningEnv } from '@bascule/screening';
import type { ScreeningConfig } from '@bascule/screening';
import { sealedTokenEnv } from '@bascule/sealed-tokens';
import type { SealingKey } from '@bascule/sealed-tokens';
import { signerLocations } from '@bascule/signers';
import type { SignersConfig } from '@bascule/signers';
import { transactionsEnv } from '@bascule/transactions';
import { aggregatorsEnv, attestersEnv, bridgesEnv } from '@bascule/venues';
import type { AggregatorsConfig, BridgesConfig } from '@bascule/venues';
import type { ExecutionPatience, PaymentPolicy } from '../life-cycle/policy.js';

const HOUR_MS = 3_600_000;

const usd = makeValidator<DecimalString>((input) => {
  parseDecimal(input);
  return input;
});
const executionEnv = {
  EXECUTION_PATIENCE_MS: integer({
    min: 0,
    default: 30_000,
    desc: 'how long a leg that cannot meet its minimum is tried before the payment fails',
  }),
  EXECUTION_RETRY_MS: milliseconds({
    min: 0,
    default: 2_000,
    desc: 'time between two tries of a leg',
  }),
  EXECUTION_MAX_TRANSACTIONS: integer({
    min: 1,
    default: 5,
    desc: 'transactions that may revert before the payment fails',
  }),
  EXECUTION_PRIVATE_MS: milliseconds({
    min: 0,
    default: 60_000,
    desc: 'how long a transaction with a swap is sent to private endpoints alone, on chains that have some',
  }),
  EXECUTION_MAX_COST_FACTOR: integer({
    min: 1,
    default: 3,
    desc: 'most that a transaction of a leg may cost, in multiples of the cost that its network fee repays',
  }),
};

export const policyEnv = {
  DUST_USD: usd({ default: '0.05', desc: 'money below this is not worth a withdrawal' }),
  STALLED_AFTER_MS: integer({
    min: 0,
    default: 600_000,
    desc: 'time from full funding until a payment counts as stalled',
  }),
  SCREENING_TAINT_USD: usd({
    default: '1',
    desc: 'deposits from sanctioned addresses beyond this value taint a payment',
  }),
  SCREENING_UNKNOWN_SENDERS: str({
    choices: ['wait', 'accept'],
    default: 'wait',
    desc: 'native currency above that value whose sender no node can tell: `wait` as without a verdict, or `accept` it',
  }),
};

const paymentEnv = {
  ...httpEnv,
  ...databaseEnv,
  ...eventEnv,
  ...sealedTokenEnv,
  ...geolocationEnv,
  ...providersEnv,
  ...bridgesEnv,
  ...aggregatorsEnv,
  ...attestersEnv,
  ...transactionsEnv,
  ...executionEnv,
  ...screeningEnv,
  EXECUTOR_PRIVATE_KEY: signerLocations({
    desc: 'keys, or their locations, authorised to call the executor contract, on every chain',
  }),
  EXECUTOR_RETIRED_KEYS: signerLocations({
    default: [],
    desc: 'earlier keys, which only replace and cancel what they have signed',
  }),
  FUNDING_TOKEN_PRIVATE_KEY: privateKey('Ed25519 JWK that signs the links to funding pages'),
  FUNDING_PAGE_BASE: url({ desc: 'base URL of funding pages, without /funding' }),
  FUNDING_MINUTES: integer({
    min: 1,
    max: 60,
    default: 10,
    desc: 'default time to fund a payment',
  }),
  TOKEN_EXECUTION_WINDOW_MS: integer({
    min: 0,
    default: 24 * HOUR_MS,
    desc: 'from the end of funding to the expiry of a declaration funded with tokens',
  }),
  ONRAMP_EXECUTION_WINDOW_MS: integer({
    min: 0,
    default: 14 * 24 * HOUR_MS,
    desc: 'the same for onramps, which can deliver late',
  }),
  OWNER_VERIFICATION_USD: usd({
    default: '300',
    desc: 'payments from this value on require a verified owner',
  }),
  WITHDRAWAL_SIMULATION_USD: usd({
    default: '1000000',
    desc: 'payments from this value on require a signed withdrawal, which is simulated',
  }),
  PRICE_MAX_AGE_MS: integer({
    min: 1,
    default: 120_000,
    desc: 'maximum age of prices for these thresholds, and for the worth of a refund to the wallet',
  }),
  ...policyEnv,
  WITNESSED_DEPOSIT_USD: usd({
    default: '100',
    desc: 'deposits from this value on need a second node, where several are configured',
  }),
  MAX_UNFUNDED_PAYMENTS: integer({
    min: 1,
    default: 10_000,
    desc: 'payments of an organisation that may wait for funds, where an operator set no other quota; 3 or more have shares',
  }),
  BRIDGE_POLL_MS: milliseconds({
    min: 1,
    default: 2_000,
    desc: 'polling interval of an open transfer',
  }),
  CHECKOUT_POLL_MS: milliseconds({
    min: 1,
    default: 5_000,
    desc: 'polling interval of an open order',
  }),
};

/** Intervals of background work; tests inject shorter ones. */
export interface PaymentTiming {
  /** With `standbyMs` under 10 s: the longest gap in scanning after a replica crashed. */
  readonly scanLeaseMs: number;
  /** Delay of a standby replica between attempts to acquire the lease. */
  readonly standbyMs: number;
  readonly scanRetryMs: number;
  /** Bounds of the delay between passes, which is half a block. */
  readonly scanPassMs: { readonly min: number; readonly max: number };
  /** Polling interval of the workers of legs, deadlines and orders. */
  readonly workerPollMs: number;
  /** Longest time for a node's trace of a block in which contracts paid: one request that times out. */
  readonly traceMs: number;
  /** Interval at which measured conversions are stored. */
  readonly ratingsFlushMs: number;
}

export const DEFAULT_TIMING: PaymentTiming = {
  scanLeaseMs: 6_000,
  standbyMs: 2_000,
  scanRetryMs: 1_000,
  scanPassMs: { min: 200, max: 2_000 },
  workerPollMs: 500,
  traceMs: 10_000,
  ratingsFlushMs: 2_000,
};

export interface PaymentConfig extends HttpConfig, EventConfig, GeolocationConfig, SignersConfig {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  readonly kafka: KafkaConfig | undefined;
  readonly providers: ProvidersConfig;
  readonly bridges: BridgesConfig;
  readonly aggregators: AggregatorsConfig;
  readonly bridgePollMs: number;
  readonly attesterUrls: readonly string[];
  readonly stateTokenKeys: Reloadable<readonly SealingKey[]>;
  readonly fundingTokenKey: Reloadable<PrivateKey>;
  readonly fundingPageBase: string;
  /** Locations. */
  readonly executorKeys: readonly string[];
  readonly executorRetiredKeys: readonly string[];
  readonly transactionReplaceAfterMs: number;
  readonly transactionMaxGas: bigint;
  /** Time for which a transaction with a swap is sent to private endpoints alone, where a chain has some. */
  readonly privateForMs: number;
  readonly executionPatience: ExecutionPatience;
  /** Most that a leg's transaction may cost, in multiples of the cost that its network fee repays. */
  readonly maxCostFactor: bigint;
  readonly fundingMinutes: number;
  readonly tokenExecutionWindowMs: number;
  readonly onrampExecutionWindowMs: number;
  readonly ownerVerificationUsd: DecimalString;
  readonly withdrawalSimulationUsd: DecimalString;
  readonly priceMaxAgeMs: number;
  /** US dollars. */
  readonly witnessedDepositUsd: DecimalString;
  readonly checkoutPollMs: number;
  readonly maxUnfundedPayments: number;
  readonly policy: PaymentPolicy;
  readonly screening: ScreeningConfig;
  readonly timing: PaymentTiming;
}

/** The configured providers by name. */
export type OnrampProviders = ReadonlyMap<string, OnrampProvider>;

export const PAYMENT_CONFIG = Symbol('PAYMENT_CONFIG');
/** Injection token of `PaymentPolicy`. */
export const PAYMENT_POLICY = Symbol('PAYMENT_POLICY');
/** Injection token of `OnrampProviders`. */
export const ONRAMP_PROVIDERS = Symbol('ONRAMP_PROVIDERS');
/** Injection token of `ReadonlyMap<string, Bridge>`, by name. */
export const BRIDGES = Symbol('BRIDGES');
export const PAYMENT_SCHEMA = 'payment';

/** @throws ConfigurationError with every problem of the environment */
export function parsePaymentConfig(env: NodeJS.ProcessEnv): PaymentConfig {
  const { own, chains, kafka } = collectProblems({
    own: () => parseConfig(env, paymentEnv),
    chains: () => parseChainsConfig(env),
    kafka: () => parseKafkaConfig(env),
  });
  return freezeConfig(own, {
    ...own,
    database: databaseConfig(own, PAYMENT_SCHEMA),
    chains,
    kafka,
    providers: own.PROVIDERS,
    bridges: own.BRIDGES,
    aggregators: own.AGGREGATORS,
    bridgePollMs: own.BRIDGE_POLL_MS,
    attesterUrls: own.ATTESTER_URLS,
    stateTokenKeys: own.STATE_TOKEN_KEYS,
    fundingTokenKey: own.FUNDING_TOKEN_PRIVATE_KEY,
    fundingPageBase: own.FUNDING_PAGE_BASE,
    executorKeys: own.EXECUTOR_PRIVATE_KEY,
    executorRetiredKeys: own.EXECUTOR_RETIRED_KEYS,
    transactionReplaceAfterMs: own.TRANSACTION_REPLACE_AFTER_MS,
    transactionMaxGas: BigInt(own.TRANSACTION_MAX_GAS),
    privateForMs: own.EXECUTION_PRIVATE_MS,
    executionPatience: executionPatience(own),
    maxCostFactor: BigInt(own.EXECUTION_MAX_COST_FACTOR),
    fundingMinutes: own.FUNDING_MINUTES,
    tokenExecutionWindowMs: own.TOKEN_EXECUTION_WINDOW_MS,
    onrampExecutionWindowMs: own.ONRAMP_EXECUTION_WINDOW_MS,
    ownerVerificationUsd: own.OWNER_VERIFICATION_USD,
    withdrawalSimulationUsd: own.WITHDRAWAL_SIMULATION_USD,
    priceMaxAgeMs: own.PRICE_MAX_AGE_MS,
    witnessedDepositUsd: own.WITNESSED_DEPOSIT_USD,
    checkoutPollMs: own.CHECKOUT_POLL_MS,
    policy: paymentPolicy(own),
    maxUnfundedPayments: own.MAX_UNFUNDED_PAYMENTS,
    screening: screeningConfig(own, chains),
    timing: DEFAULT_TIMING,
  });
}

const executionPatience = (env: Parsed<typeof executionEnv>): ExecutionPatience => ({
  patienceMs: env.EXECUTION_PATIENCE_MS,
  retryMs: env.EXECUTION_RETRY_MS,
  maxTransactions: env.EXECUTION_MAX_TRANSACTIONS,
});

export const paymentPolicy = (env: Parsed<typeof policyEnv>): PaymentPolicy => ({
  dustUsd: env.DUST_USD,
  stalledAfterMs: env.STALLED_AFTER_MS,
  taintUsd: env.SCREENING_TAINT_USD,
  acceptsUnknownSenders: env.SCREENING_UNKNOWN_SENDERS === 'accept',
});
