import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { generatePrivateKey } from 'viem/accounts';
import type { Deployment } from '../deployment.js';
import type { Check, Finding } from '../finding.js';
import { KeyRing } from '../key-ring.js';
import { runChecks } from '../run-checks.js';
import { describeService } from '../services.js';

export type Environments = Readonly<Record<string, NodeJS.ProcessEnv>>;

export const randomSecret = (): string => randomBytes(32).toString('base64url');

export const sealingKeys = (...kids: string[]): string =>
  JSON.stringify(kids.map((kid) => ({ kid, k: randomSecret() })));

/** An Ed25519 key pair as the services configure its halves. */
export function signingKeys(kid: string): { secret: string; jwks: string } {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const { d, ...publicHalf } = { ...jwk, kid };
  return {
    secret: JSON.stringify({ ...publicHalf, d }),
    jwks: JSON.stringify({ keys: [publicHalf] }),
  };
}

/** Environments of the services of a sound deployment, with secrets of its own; `common` is part of each. */
export function environmentsWith(common: NodeJS.ProcessEnv = {}): Environments {
  const [internal, funding] = [signingKeys('internal'), signingKeys('funding')];
  const all: NodeJS.ProcessEnv = {
    PORT: '8080',
    ENVIRONMENT: 'production',
    DATABASE_URL: 'postgres://role:password@127.0.0.1:1/none',
    INTERNAL_TOKEN_PUBLIC_KEYS: internal.jwks,
    CHAINS: 'alphanet',
    RPC_URLS_ALPHANET: 'http://127.0.0.1:1',
    ...common,
  };
  const stateTokens = { STATE_TOKEN_KEYS: sealingKeys('state') };
  const FEE_RECEIVER = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
  const service = 'http://127.0.0.1:1';
  return {
    gateway: {
      ...all,
      INTERNAL_TOKEN_PRIVATE_KEY: internal.secret,
      FUNDING_TOKEN_PUBLIC_KEYS: funding.jwks,
      QUOTE_URL: service,
      PAYMENT_URL: service,
      WITHDRAWAL_URL: service,
      CATALOGUE_URL: service,
      WEBHOOK_DISPATCH_URL: service,
    },
    catalogue: all,
    quote: { ...all, ...stateTokens, PROVIDERS: '[]', FEE_RECEIVER },
    payment: {
      ...all,
      ...stateTokens,
      PROVIDERS: '[]',
      EXECUTOR_PRIVATE_KEY: generatePrivateKey(),
      FUNDING_TOKEN_PRIVATE_KEY: funding.secret,
      FUNDING_PAGE_BASE: 'http://127.0.0.1:1',
    },
    withdrawal: {
      ...all,
      ...stateTokens,
      FEE_RECEIVER,
      RELAYER_PRIVATE_KEY: generatePrivateKey(),
    },
    'webhook-dispatch': { ...all, WEBHOOK_SECRET_KEYS: sealingKeys('webhooks') },
  };
}

/** Changes variables of one service. */
export const changed = (
  environments: Environments,
  service: string,
  variables: NodeJS.ProcessEnv,
): Environments => ({
  ...environments,
  [service]: { ...environments[service], ...variables },
});

export const deploymentOf = (
  environments: Environments,
  others: Partial<Deployment> = {},
): Deployment => ({
  services: Object.entries(environments).map(([name, env]) => describeService(name, env)),
  expected: {},
  leastBalances: new Map(),
  keyRing: new KeyRing(),
  nodeTimeoutMs: 5_000,
  ...others,
});

/** Findings of one check. */
export async function findingsOf(
  check: Check,
  environments: Environments,
  others?: Partial<Deployment>,
): Promise<readonly Finding[]> {
  const deployment = deploymentOf(environments, others);
  try {
    return await runChecks([check], deployment);
  } finally {
    await deployment.keyRing.close();
  }
}

/** Findings as `subject: state: found`, for those that are not ok. */
export async function faultsOf(
  check: Check,
  environments: Environments,
  others?: Partial<Deployment>,
): Promise<readonly string[]> {
  const findings = await findingsOf(check, environments, others);
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ subject, state, found = '' }) => `${subject}: ${state}: ${found}`);
}
