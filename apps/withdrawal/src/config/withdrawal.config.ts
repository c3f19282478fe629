import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
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
} from '@bascule/process';
import type { Reloadable } from '@bascule/process';
import { screeningConfig, screeningEnv } from '@bascule/screening';
import type { ScreeningConfig } from '@bascule/screening';
import { sealedTokenEnv } from '@bascule/sealed-tokens';
import type { SealingKey } from '@bascule/sealed-tokens';
import { signerLocations } from '@bascule/signers';
import type { SignersConfig } from '@bascule/signers';
import { transactionsEnv } from '@bascule/transactions';
import { attestersEnv } from '@bascule/venues';
import { getAddress, isAddress } from 'viem';
import type { Address } from 'viem';
import type { WithdrawalTiming } from '../settings/withdrawal-settings.js';

export interface WithdrawalConfig extends HttpConfig, EventConfig, SignersConfig {
  database: DatabaseConfig;
  chains: ChainsConfig;
  kafka: KafkaConfig | undefined;
  stateTokenKeys: Reloadable<readonly SealingKey[]>;
  /** Locations. */
  relayerKeys: readonly string[];
  relayerRetiredKeys: readonly string[];
  feeReceiver: Address;
  /** Time from the request of a withdrawal until its authorization expires. */
  lifetimeSeconds: number;
  balanceTimeoutMs: number;
  /** Maximum age of prices by which screening values withdrawals. */
  priceMaxAgeMs: number;
  /** Attesters of the escrow's oracle; without any, only expired orders are refunded. */
  attesterUrls: readonly string[];
  maxUnsignedWithdrawals: number;
  maxWaitingConfirms: number;
  replaceAfterMs: number;
  maxGas: bigint;
  screening: ScreeningConfig;
  timing: WithdrawalTiming;
}

const DEFAULT_TIMING: WithdrawalTiming = { pollMs: 500, checkMs: { min: 250, max: 5_000 } };

const env = {
  ...httpEnv,
  ...databaseEnv,
  ...eventEnv,
  ...sealedTokenEnv,
  ...transactionsEnv,
  ...attestersEnv,
  ...screeningEnv,
  RELAYER_PRIVATE_KEY: signerLocations({
    desc: 'keys, or their locations, that pay the gas of withdrawals, on every chain',
  }),
  RELAYER_RETIRED_KEYS: signerLocations({
    default: [],
    desc: 'earlier keys, which only replace and cancel what they have signed',
  }),
  FEE_RECEIVER: makeValidator<Address>((input) => {
    if (!isAddress(input, { strict: false })) throw new Error('expected an address');
    return getAddress(input);
  })({ desc: 'receives the fees that repay the gas' }),
  WITHDRAWAL_LIFETIME_SECONDS: integer({
    min: 1,
    default: 1_800,
    desc: 'lifetime of an authorization',
  }),
  BALANCE_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 5_000,
    desc: 'deadline of reads from one chain, or from all attesters',
  }),
  PRICE_MAX_AGE_MS: milliseconds({
    min: 1,
    default: 120_000,
    desc: 'maximum age of prices by which a withdrawal is a small sum for screening',
  }),
  MAX_UNSIGNED_WITHDRAWALS: integer({
    min: 1,
    default: 1_000,
    desc: 'withdrawals of an organisation that may wait for a signature, where an operator set no other quota; 3 or more have shares',
  }),
  MAX_WAITING_CONFIRMS: integer({
    min: 1,
    default: 32,
    desc: 'confirms that wait for their settlement at a time; more are PENDING at once',
  }),
};

/** @throws ConfigurationError with every problem of the environment */
export function parseWithdrawalConfig(environment: NodeJS.ProcessEnv): WithdrawalConfig {
  const { parsed, chains, kafka } = collectProblems({
    parsed: () => parseConfig(environment, env),
    chains: () => parseChainsConfig(environment),
    kafka: () => parseKafkaConfig(environment),
  });
  return freezeConfig(parsed, {
    ...parsed,
    database: databaseConfig(parsed, 'withdrawal'),
    chains,
    kafka,
    stateTokenKeys: parsed.STATE_TOKEN_KEYS,
    relayerKeys: parsed.RELAYER_PRIVATE_KEY,
    relayerRetiredKeys: parsed.RELAYER_RETIRED_KEYS,
    feeReceiver: parsed.FEE_RECEIVER,
    lifetimeSeconds: parsed.WITHDRAWAL_LIFETIME_SECONDS,
    balanceTimeoutMs: parsed.BALANCE_TIMEOUT_MS,
    priceMaxAgeMs: parsed.PRICE_MAX_AGE_MS,
    attesterUrls: parsed.ATTESTER_URLS,
    maxUnsignedWithdrawals: parsed.MAX_UNSIGNED_WITHDRAWALS,
    maxWaitingConfirms: parsed.MAX_WAITING_CONFIRMS,
    replaceAfterMs: parsed.TRANSACTION_REPLACE_AFTER_MS,
    maxGas: BigInt(parsed.TRANSACTION_MAX_GAS),
    screening: screeningConfig(parsed, chains),
    timing: DEFAULT_TIMING,
  });
}
