import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses } from '@bascule/solidity';
import { databaseVariables } from '../servers/databases.js';
import type { LocalServers } from '../servers/local-servers.js';
import { publicJwks, type Secrets } from '../state/secrets.js';
import { labAggregators } from './aggregators-lab.js';
import { labOnramps } from './providers-lab.js';
import { SERVICE_NAMES, type ServiceName, type Settings } from '../settings/settings.config.js';

type Environment = Record<string, string>;

export const ATTESTER_STOPS_MS = 5_000;

export type Environments = Record<ServiceName, NodeJS.ProcessEnv>;

/** Adds the stack's own environment, so that every other variable of a service can be set for all of them. */
export function fullEnvironments(own: Record<ServiceName, Environment>): Environments {
  const entries = SERVICE_NAMES.map((name) => [name, { ...process.env, ...own[name] }] as const);
  return Object.fromEntries(entries) as Environments;
}

const [, , executor, relayer, swiftramp, thriftramp, feeReceiver, solver, ...attesters] =
  developmentAccounts;

/** The sandbox onramps, each with a wallet of its own. */
const PROVIDERS = [
  { name: 'swiftramp', wallet: swiftramp },
  { name: 'thriftramp', wallet: thriftramp },
];

/** Configuration of each service, by the variables that a deployment sets. */
export function serviceEnvironments(
  settings: Settings,
  secrets: Secrets,
  servers: LocalServers,
): Record<ServiceName, Environment> {
  const url = (service: ServiceName) => `http://127.0.0.1:${settings.servicePorts[service]}`;
  const database = { adminUrl: servers.adminUrl, poolerPort: settings.poolerPort };
  const common = (service: ServiceName): Environment => ({
    HOST: '127.0.0.1',
    PORT: String(settings.servicePorts[service]),
    OPERATIONS_PORT: String(settings.operationsPorts.services[service]),
    ...databaseVariables(database, service, secrets.rolePassword),
    INTERNAL_TOKEN_PUBLIC_KEYS: publicJwks(secrets.internalTokenKey),
    LOG_LEVEL: settings.logLevel,
    LOG_REQUESTS: String(settings.logRequests),
    // Each service has a name of its own.
    OTEL_SERVICE_NAME: '',
    ENVIRONMENT: 'development',
    ...chainVariables(servers),
  });
  const stateTokens = { STATE_TOKEN_KEYS: JSON.stringify([secrets.stateTokenKey]) };
  const providers = {
    PROVIDERS: JSON.stringify([
      ...onramps(secrets, url('sandbox-provider')),
      ...labOnramps(settings, secrets),
    ]),
  };
  const fees = { FEE_RECEIVER: feeReceiver.address };
  const bridges = { BRIDGES: JSON.stringify([intentEscrow(secrets, url('solver'))]) };
  const simulated = labAggregators(settings, secrets);
  const aggregators: Environment =
    simulated.length === 0 ? {} : { AGGREGATORS: JSON.stringify(simulated) };
  const screened = { SCREENING_FILE: settings.paths.sanctionedFile };
  const attested = { ATTESTER_URLS: settings.attesterPorts.map(attesterUrl).join(',') };
  return {
    gateway: {
      ...common('gateway'),
      INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(secrets.internalTokenKey),
      FUNDING_TOKEN_PUBLIC_KEYS: publicJwks(secrets.fundingTokenKey),
      QUOTE_URL: url('quote'),
      PAYMENT_URL: url('payment'),
      WITHDRAWAL_URL: url('withdrawal'),
      CATALOGUE_URL: url('catalogue'),
      WEBHOOK_DISPATCH_URL: url('webhook-dispatch'),
    },
    catalogue: common('catalogue'),
    quote: {
      ...common('quote'),
      ...stateTokens,
      ...providers,
      ...bridges,
      ...aggregators,
      ...fees,
    },
    payment: {
      ...common('payment'),
      ...stateTokens,
      ...providers,
      ...bridges,
      ...aggregators,
      ...attested,
      ...screened,
      EXECUTOR_PRIVATE_KEY: executor.privateKey,
      FUNDING_TOKEN_PRIVATE_KEY: JSON.stringify(secrets.fundingTokenKey),
      FUNDING_PAGE_BASE: url('gateway'),
    },
    withdrawal: {
      ...common('withdrawal'),
      ...stateTokens,
      ...fees,
      ...attested,
      ...screened,
      RELAYER_PRIVATE_KEY: relayer.privateKey,
    },
    'webhook-dispatch': {
      ...common('webhook-dispatch'),
      WEBHOOK_SECRET_KEYS: JSON.stringify([secrets.webhookSecretKey]),
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    },
    'sandbox-provider': {
      ...common('sandbox-provider'),
      SANDBOX_PUBLIC_URL: url('sandbox-provider'),
      SANDBOX_PROVIDERS: JSON.stringify(simulatedProviders(secrets, url('gateway'))),
    },
    solver: {
      ...common('solver'),
      ...attested,
      SOLVER_PRIVATE_KEY: solver.privateKey,
      SOLVER_API_KEY: secrets.solverApiKey,
      SOLVER_ASSETS: JSON.stringify([solvedAsset(servers)]),
      SOLVER_CONTROL: 'true',
    },
  };
}

export const attesterUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** Environment of each attester: its key and RPC endpoints. */
export function attesterEnvironments(
  { attesterPorts, operationsPorts, logLevel }: Settings,
  servers: LocalServers,
): NodeJS.ProcessEnv[] {
  return attesters.map(({ privateKey }, index) => ({
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(attesterPorts[index]),
    OPERATIONS_PORT: String(operationsPorts.attesters[index]),
    LOG_LEVEL: logLevel,
    LOG_REQUESTS: 'false',
    OTEL_SERVICE_NAME: '',
    ENVIRONMENT: 'development',
    SHUTDOWN_GRACE_MS: '0',
    SHUTDOWN_DEADLINE_MS: String(ATTESTER_STOPS_MS),
    ATTESTER_PRIVATE_KEY: privateKey,
    ...chainVariables(servers),
  }));
}

/** The bridge for services that quote and track it. */
const intentEscrow = (secrets: Secrets, solverUrl: string) => ({
  name: 'intent_escrow',
  adapter: 'intent-escrow',
  solver_url: solverUrl,
  api_key: secrets.solverApiKey,
});

const solvedAsset = ({ chains }: LocalServers) => ({
  tokens: Object.fromEntries(chains.map(({ name }) => [name, developmentAddresses.usdc])),
  flat_fee: '10000',
  min_amount: '1000000',
});

function chainVariables({ chains }: LocalServers): Environment {
  const endpoints = chains.flatMap(({ name, rpcUrl }) => [
    [`RPC_URLS_${name.toUpperCase()}`, rpcUrl],
    [`PUBLIC_RPC_${name.toUpperCase()}`, rpcUrl],
  ]);
  return {
    CHAINS: chains.map(({ name }) => name).join(','),
    ...(Object.fromEntries(endpoints) as Environment),
  };
}

const onramps = (secrets: Secrets, sandboxUrl: string) =>
  PROVIDERS.map(({ name }) => ({
    name,
    adapter: 'sandbox',
    base_url: `${sandboxUrl}/${name}`,
    api_key: secrets.providerApiKey,
    callback_secret: secrets.providerCallbackSecret,
  }));

const simulatedProviders = (secrets: Secrets, gatewayUrl: string) =>
  PROVIDERS.map(({ name, wallet }) => ({
    name,
    api_key: secrets.providerApiKey,
    wallet_private_key: wallet.privateKey,
    callback_url: `${gatewayUrl}/providers/${name}/callbacks`,
    callback_secret: secrets.providerCallbackSecret,
  }));
