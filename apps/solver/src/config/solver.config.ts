import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import {
  bool,
  collectProblems,
  ConfigurationError,
  integer,
  makeValidator,
  parseConfig,
  freezeConfig,
  secret,
  sensitive,
} from '@bascule/process';
import { privateKeys, transactionsEnv } from '@bascule/transactions';
import { attestersEnv } from '@bascule/venues';
import type { Hex } from 'viem';
import { parseAssets } from '../assets/asset.js';
import type { Asset } from '../assets/asset.js';
import type { SolverSettings } from '../settings/solver-settings.js';

export interface SolverConfig extends HttpConfig, SolverSettings {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  /** Only one, since its address holds the inventory. */
  readonly privateKey: Hex;
  readonly retiredKeys: readonly Hex[];
  readonly assets: readonly Asset[];
  readonly feeBps: number;
  readonly transactionReplaceAfterMs: number;
  readonly transactionMaxGas: bigint;
}

const solverKey = makeValidator<Hex>((input) => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(input)) throw new Error('expected 32 bytes of hex');
  return input as Hex;
});

const env = {
  ...serverEnv,
  ...databaseEnv,
  ...transactionsEnv,
  ...attestersEnv,
  SOLVER_PRIVATE_KEY: sensitive(solverKey({ desc: 'key of the inventory, on every chain' })),
  SOLVER_RETIRED_KEYS: privateKeys({
    default: [],
    desc: 'earlier keys, which only replace and cancel what they have signed',
  }),
  SOLVER_API_KEY: secret({ desc: 'bearer token of the callers' }),
  SOLVER_ASSETS: makeValidator<readonly Asset[]>(parseAssets)({
    desc: 'JSON array of {tokens: {<chain>: <address>}, flat_fee, min_amount}, in smallest units',
  }),
  SOLVER_FEE_BPS: integer({
    min: 0,
    max: 9_999,
    default: 5,
    desc: 'share of every order that is kept, in basis points',
  }),
  SOLVER_FILL_MARGIN_SECONDS: integer({
    min: 1,
    default: 10,
    desc: "least time left of an order's fill window when a fill is sent",
  }),
  SOLVER_CONTROL: bool({ default: false, desc: 'enables PUT /v1/control; on test networks only' }),
  SOLVER_EXIT: bool({
    default: false,
    desc: 'die_after_fill kills the process; on test networks only',
  }),
};

/** Restricts simulated misbehaviour to test networks, since any holder of the API key can trigger it. */
function requireTestnets({ chains }: ChainsConfig, variables: Record<string, boolean>): void {
  const real = chains.filter(({ definition }) => !definition.isTestnet);
  if (real.length === 0) return;
  const names = real.map(({ definition }) => definition.name).join(', ');
  const problems = Object.entries(variables)
    .filter(([, isSet]) => isSet)
    .map(([variable]) => `${variable}: allowed on test networks only, but ${names} is configured`);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** @throws ConfigurationError with every problem of the environment */
export function parseSolverConfig(environment: NodeJS.ProcessEnv): SolverConfig {
  const { parsed, chains } = collectProblems({
    parsed: () => parseConfig(environment, env),
    chains: () => parseChainsConfig(environment),
  });
  const { SOLVER_CONTROL, SOLVER_EXIT } = parsed;
  requireTestnets(chains, { SOLVER_CONTROL, SOLVER_EXIT });
  return freezeConfig(parsed, {
    ...parsed,
    database: databaseConfig(parsed, 'solver'),
    chains,
    privateKey: parsed.SOLVER_PRIVATE_KEY,
    retiredKeys: parsed.SOLVER_RETIRED_KEYS,
    apiKey: parsed.SOLVER_API_KEY,
    assets: parsed.SOLVER_ASSETS,
    feeBps: parsed.SOLVER_FEE_BPS,
    fillMarginSeconds: parsed.SOLVER_FILL_MARGIN_SECONDS,
    attesterUrls: parsed.ATTESTER_URLS,
    transactionReplaceAfterMs: parsed.TRANSACTION_REPLACE_AFTER_MS,
    transactionMaxGas: BigInt(parsed.TRANSACTION_MAX_GAS),
    control: SOLVER_CONTROL,
    exits: SOLVER_EXIT,
  });
}
