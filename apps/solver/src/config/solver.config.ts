import { parseChainsConfig } from '@bascule/chain';
import type { ChainDefinition, ChainsConfig } from '@bascule/chain';
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
} from '@bascule/process';
import { signerLocation, signerLocations } from '@bascule/signers';
import type { SignersConfig } from '@bascule/signers';
import { transactionsEnv } from '@bascule/transactions';
import { attestersEnv } from '@bascule/venues';
import { parseGwei } from 'viem';
import { parseAssets } from '../assets/asset.js';
import type { Asset } from '../assets/asset.js';
import type { SolverSettings } from '../settings/solver-settings.js';

export interface SolverConfig extends HttpConfig, SignersConfig, SolverSettings {
  readonly database: DatabaseConfig;
  readonly chains: ChainsConfig;
  /** Location; only one, since its address holds the inventory. */
  readonly key: string;
  readonly retiredKeys: readonly string[];
  readonly assets: readonly Asset[];
  readonly feeBps: number;
  readonly transactionReplaceAfterMs: number;
  readonly transactionMaxGas: bigint;
}

const env = {
  ...serverEnv,
  ...databaseEnv,
  ...transactionsEnv,
  ...attestersEnv,
  SOLVER_PRIVATE_KEY: signerLocation({
    desc: 'key of the inventory, or its location, on every chain',
  }),
  SOLVER_RETIRED_KEYS: signerLocations({
    default: [],
    desc: 'earlier keys, which only replace and cancel what they have signed',
  }),
  SOLVER_API_KEY: secret({ desc: 'bearer token of the callers' }),
  SOLVER_ASSETS: makeValidator<readonly Asset[]>(parseAssets)({
    desc: 'JSON array of {tokens: {<chain>: <address>}, flat_fee, min_amount, native_values?: {<chain>: …}}, in smallest units',
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

const costVariable = (chain: string): string => `SOLVER_MAX_COST_${chain.toUpperCase()}`;

const wei = makeValidator<bigint>((input) => {
  if (!/^[1-9][0-9]{0,30}$/.test(input)) throw new Error('expected wei, above 0');
  return BigInt(input);
});

/** Gas of a large fill, at a tenth of the chain's highest fee, which is several times a usual one. */
const defaultMaxCost = ({ maxFeeGwei }: ChainDefinition): bigint =>
  (300_000n * parseGwei(String(maxFeeGwei))) / 10n;

/** Reads the bounds of costs by name of the chain. */
function maxCostsOf(
  { chains }: ChainsConfig,
  environment: NodeJS.ProcessEnv,
): ReadonlyMap<string, bigint> {
  const specs = chains.map(
    ({ definition }) =>
      [
        costVariable(definition.name),
        wei({ default: defaultMaxCost(definition), desc: 'most that a fill or a claim costs' }),
      ] as const,
  );
  const values = parseConfig(environment, Object.fromEntries(specs));
  return new Map(
    chains.map(({ definition: { name } }) => [name, values[costVariable(name)] as bigint]),
  );
}

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
    key: parsed.SOLVER_PRIVATE_KEY,
    retiredKeys: parsed.SOLVER_RETIRED_KEYS,
    apiKey: parsed.SOLVER_API_KEY,
    assets: parsed.SOLVER_ASSETS,
    feeBps: parsed.SOLVER_FEE_BPS,
    maxCosts: maxCostsOf(chains, environment),
    fillMarginSeconds: parsed.SOLVER_FILL_MARGIN_SECONDS,
    attesterUrls: parsed.ATTESTER_URLS,
    transactionReplaceAfterMs: parsed.TRANSACTION_REPLACE_AFTER_MS,
    transactionMaxGas: BigInt(parsed.TRANSACTION_MAX_GAS),
    control: SOLVER_CONTROL,
    exits: SOLVER_EXIT,
  });
}
