import { formatDecimal, mulDecimals, parseDecimal } from '@bascule/amounts';
import type { ChainsConfig } from '@bascule/chain';
import {
  bool,
  ConfigurationError,
  list,
  makeValidator,
  milliseconds,
  sensitive,
  str,
  url,
} from '@bascule/process';
import type { Parsed } from '@bascule/process';
import type { Address } from 'viem';

const usd = makeValidator<string>((input) => {
  parseDecimal(input);
  return input;
});

export const screeningEnv = {
  SCREENING_ORACLES: list({
    default: [],
    desc: 'on-chain sanctions oracles, as chain=address',
  }),
  SCREENING_API_URL: url({
    default: undefined,
    desc: 'base URL of a screening API, above /sanctions/screening',
  }),
  SCREENING_API_KEY: sensitive(str({ default: undefined, desc: 'key of the screening API' })),
  SCREENING_FILE: str({ default: undefined, desc: 'file of sanctioned addresses, one per line' }),
  SCREENING_DISABLED: bool({
    default: false,
    desc: 'starts without a screening source although a chain is no test network',
  }),
  SCREENING_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 3_000,
    desc: 'time limit of one question to a source',
  }),
  SCREENING_CACHE_MS: milliseconds({
    min: 0,
    default: 600_000,
    desc: 'how long an answer of an oracle or the API holds',
  }),
  SCREENING_ALLOWANCE_USD: usd({
    default: '0',
    desc: 'per owner and hour, what goes on while a source does not answer: half for payments, half for withdrawals',
  }),
};

export interface ScreeningConfig {
  readonly oracles: readonly { readonly chain: string; readonly address: Address }[];
  readonly api: { readonly url: string; readonly key: string | undefined } | undefined;
  readonly file: string | undefined;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  /** US dollars per owner and hour, of this service. */
  readonly allowanceUsd: string;
}

export const SCREENING_CONFIG = Symbol('SCREENING_CONFIG');

/** Payments and withdrawals are counted by two services, whose sums together stay within the allowance. */
const SHARE = '0.5';

const ORACLE = /^([a-z]+)=(0x[0-9a-fA-F]{40})$/;

/** @throws ConfigurationError for an oracle of an unknown chain, or without a source where a chain is no test network */
export function screeningConfig(
  env: Parsed<typeof screeningEnv>,
  { chains }: ChainsConfig,
): ScreeningConfig {
  const oracles = env.SCREENING_ORACLES.map((entry) => oracleOf(entry, chains));
  const { SCREENING_API_URL: apiUrl, SCREENING_FILE: file } = env;
  const hasSource = oracles.length > 0 || apiUrl !== undefined || file !== undefined;
  const isRequired = chains.some(({ definition }) => !definition.isTestnet);
  if (isRequired && !hasSource && !env.SCREENING_DISABLED) {
    throw new ConfigurationError([
      'SCREENING_ORACLES, SCREENING_API_URL or SCREENING_FILE: expected at least one, since a chain is no test ' +
        'network. SCREENING_DISABLED=true starts without screening',
    ]);
  }
  return {
    oracles,
    api: apiUrl === undefined ? undefined : { url: apiUrl, key: env.SCREENING_API_KEY },
    file,
    timeoutMs: env.SCREENING_TIMEOUT_MS,
    cacheMs: env.SCREENING_CACHE_MS,
    allowanceUsd: formatDecimal(mulDecimals(env.SCREENING_ALLOWANCE_USD, SHARE)),
  };
}

function oracleOf(entry: string, chains: ChainsConfig['chains']) {
  const [, chain, address] = ORACLE.exec(entry) ?? [];
  if (chain === undefined || address === undefined) {
    throw new ConfigurationError([`SCREENING_ORACLES: expected chain=address, found ${entry}`]);
  }
  if (!chains.some(({ definition }) => definition.name === chain)) {
    throw new ConfigurationError([`SCREENING_ORACLES: ${chain} is not in CHAINS`]);
  }
  return { chain, address: address as Address };
}
