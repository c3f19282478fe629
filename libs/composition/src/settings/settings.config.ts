import { bool, parseConfig, port, str } from '@bascule/process';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { stackPaths, type StackPaths } from './stack-paths.js';

/** Simulated parties with the wire format of real ones. */
export const LAB_PROVIDERS = ['moonpay', 'stripe', 'coinbase', 'transak'] as const;
export type LabProvider = (typeof LAB_PROVIDERS)[number];

/** Simulated aggregators, by the names of their adapters. */
export const LAB_AGGREGATORS = ['zero-x', 'lifi'] as const;
export type LabAggregator = (typeof LAB_AGGREGATORS)[number];

const labPort = (party: string) =>
  port({
    default: undefined,
    desc: `of a simulated ${party}, which runs and is used only where this is set`,
  });

const env = {
  STACK_DIRECTORY: str({ default: '.local', desc: 'where the state of the stack lives' }),
  GATEWAY_PORT: port({ default: 8080 }),
  QUOTE_PORT: port({ default: 8081 }),
  PAYMENT_PORT: port({ default: 8082 }),
  WITHDRAWAL_PORT: port({ default: 8083 }),
  CATALOGUE_PORT: port({ default: 8084 }),
  WEBHOOK_DISPATCH_PORT: port({ default: 8085 }),
  SANDBOX_PROVIDER_PORT: port({ default: 8090 }),
  SOLVER_PORT: port({ default: 8091 }),
  ATTESTER_1_PORT: port({ default: 8092 }),
  ATTESTER_2_PORT: port({ default: 8093 }),
  ATTESTER_3_PORT: port({ default: 8094 }),
  OPERATIONS_PORTS_FROM: port({
    default: 9400,
    desc: 'first of the ports for health and metrics, one for each process or service',
  }),
  POSTGRES_PORT: port({ default: 54329 }),
  ALPHANET_PORT: port({ default: 8545 }),
  BETANET_PORT: port({ default: 8546 }),
  DELTANET_PORT: port({
    default: undefined,
    desc: 'of a third development chain, which runs only where this is set',
  }),
  PGBOUNCER_PORT: port({
    default: undefined,
    desc: 'of a PgBouncer between the services and Postgres, which runs only where this is set',
  }),
  MOONPAY_LAB_PORT: labPort('MoonPay'),
  STRIPE_LAB_PORT: labPort('Stripe'),
  COINBASE_LAB_PORT: labPort('Coinbase'),
  TRANSAK_LAB_PORT: labPort('Transak'),
  ZEROX_LAB_PORT: labPort('0x'),
  LIFI_LAB_PORT: labPort('LI.FI'),
  LOG_LEVEL: str({ default: 'warn', desc: 'of the services, which log JSON lines' }),
  LOG_REQUESTS: bool({ default: false, desc: 'one line per request' }),
  POSTGRES_DURABLE: bool({
    default: true,
    desc: 'false: faster, for tests; state may be lost when the machine crashes',
  }),
};

export interface ChainSettings {
  name: string;
  chainId: number;
  port: number;
}

export interface Settings {
  paths: StackPaths;
  logLevel: string;
  logRequests: boolean;
  postgres: { port: number; durable: boolean };
  /** Port of the PgBouncer that services use. */
  poolerPort?: number | undefined;
  chains: ChainSettings[];
  /** By the service's name. */
  servicePorts: Record<ServiceName, number>;
  /** Ports of the attesters in order. */
  attesterPorts: readonly number[];
  operationsPorts: OperationsPorts;
  /** Ports of the simulated parties that run. */
  labPorts: Readonly<Record<LabProvider, number | undefined>>;
  /** Ports of the simulated aggregators that run. */
  aggregatorPorts: Readonly<Record<LabAggregator, number | undefined>>;
}

/** Ports for health and metrics. */
export interface OperationsPorts {
  services: Record<ServiceName, number>;
  /** In the order of the attesters. */
  attesters: readonly number[];
  /** First one for further processes. */
  next: number;
}

export const SERVICE_NAMES = [
  'gateway',
  'quote',
  'payment',
  'withdrawal',
  'catalogue',
  'webhook-dispatch',
  'sandbox-provider',
  'solver',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

const require = createRequire(import.meta.url);
/** The root of this repository. Resolved by name, since this code also runs from the bundles of apps. */
export const repository = join(
  dirname(require.resolve('@bascule/composition/package.json')),
  '../..',
);

/** @throws ConfigurationError with every problem of the environment */
export function parseSettings(environment: NodeJS.ProcessEnv): Settings {
  const parsed = parseConfig(environment, env);
  const directory = parsed.STACK_DIRECTORY;
  return {
    paths: stackPaths(isAbsolute(directory) ? directory : join(repository, directory)),
    logLevel: parsed.LOG_LEVEL,
    logRequests: parsed.LOG_REQUESTS,
    postgres: { port: parsed.POSTGRES_PORT, durable: parsed.POSTGRES_DURABLE },
    poolerPort: parsed.PGBOUNCER_PORT,
    chains: [
      { name: 'alphanet', chainId: 31337, port: parsed.ALPHANET_PORT },
      { name: 'betanet', chainId: 31338, port: parsed.BETANET_PORT },
      ...(parsed.DELTANET_PORT === undefined
        ? []
        : [{ name: 'deltanet', chainId: 31339, port: parsed.DELTANET_PORT }]),
    ],
    servicePorts: {
      gateway: parsed.GATEWAY_PORT,
      quote: parsed.QUOTE_PORT,
      payment: parsed.PAYMENT_PORT,
      withdrawal: parsed.WITHDRAWAL_PORT,
      catalogue: parsed.CATALOGUE_PORT,
      'webhook-dispatch': parsed.WEBHOOK_DISPATCH_PORT,
      'sandbox-provider': parsed.SANDBOX_PROVIDER_PORT,
      solver: parsed.SOLVER_PORT,
    },
    attesterPorts: [parsed.ATTESTER_1_PORT, parsed.ATTESTER_2_PORT, parsed.ATTESTER_3_PORT],
    operationsPorts: operationsPorts(parsed.OPERATIONS_PORTS_FROM),
    aggregatorPorts: { 'zero-x': parsed.ZEROX_LAB_PORT, lifi: parsed.LIFI_LAB_PORT },
    labPorts: {
      moonpay: parsed.MOONPAY_LAB_PORT,
      stripe: parsed.STRIPE_LAB_PORT,
      coinbase: parsed.COINBASE_LAB_PORT,
      transak: parsed.TRANSAK_LAB_PORT,
    },
  };
}

const ATTESTERS = 3;

function operationsPorts(first: number): OperationsPorts {
  const afterServices = first + SERVICE_NAMES.length;
  return {
    services: Object.fromEntries(
      SERVICE_NAMES.map((name, index) => [name, first + index]),
    ) as Record<ServiceName, number>,
    attesters: Array.from({ length: ATTESTERS }, (_, index) => afterServices + index),
    next: afterServices + ATTESTERS,
  };
}
