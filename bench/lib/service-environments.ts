import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { developmentAccounts } from '@bascule/local-stack';

type Environment = Record<string, string>;

interface Addresses {
  gatewayPort: number;
  servicePort: number;
  gatewayDatabase: string;
  serviceDatabase: string;
  rpcUrl: string;
}

const sealingKeys = () =>
  JSON.stringify([{ kid: 'bench', k: randomBytes(32).toString('base64url') }]);

function signingKey(): { secret: string; jwks: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d, ...publicKey } = { ...privateKey.export({ format: 'jwk' }), kid: 'bench' };
  return {
    secret: JSON.stringify({ ...publicKey, d }),
    jwks: JSON.stringify({ keys: [publicKey] }),
  };
}

/** Port of health and metrics where only `PORT` is set. */
export const operationsPort = (port: number): number => port + 1_000;

/** A gateway and the service behind it as a deployment configures them: any one, or the payment service. */
export function serviceEnvironments(
  addresses: Addresses,
): Record<'gateway' | 'service' | 'payment', Environment> {
  const internal = signingKey();
  const funding = signingKey();
  const common = {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ENVIRONMENT: 'bench',
    NODE_ENV: 'production',
    INTERNAL_TOKEN_PUBLIC_KEYS: internal.jwks,
    SHUTDOWN_GRACE_MS: '0',
    SHUTDOWN_DEADLINE_MS: '6000',
    CHAINS: 'alphanet',
    RPC_URLS_ALPHANET: addresses.rpcUrl,
  };
  const serviceUrl = `http://127.0.0.1:${addresses.servicePort}`;
  const service = {
    ...common,
    PORT: String(addresses.servicePort),
    DATABASE_URL: addresses.serviceDatabase,
  };
  return {
    gateway: {
      ...common,
      PORT: String(addresses.gatewayPort),
      DATABASE_URL: addresses.gatewayDatabase,
      INTERNAL_TOKEN_PRIVATE_KEY: internal.secret,
      FUNDING_TOKEN_PUBLIC_KEYS: funding.jwks,
      RATE_LIMIT_REQUESTS: '100000000',
      RATE_LIMIT_CLIENT_REQUESTS: '100000000',
      MAX_QUOTES_PER_SECOND: '1000000',
      QUOTE_URL: serviceUrl,
      PAYMENT_URL: serviceUrl,
      WITHDRAWAL_URL: serviceUrl,
      CATALOGUE_URL: serviceUrl,
      WEBHOOK_DISPATCH_URL: serviceUrl,
    },
    service,
    payment: {
      ...service,
      STATE_TOKEN_KEYS: sealingKeys(),
      IDEMPOTENCY_KEYS: sealingKeys(),
      PROVIDERS: '[]',
      EXECUTOR_PRIVATE_KEY: developmentAccounts[2].privateKey,
      MAX_UNFUNDED_PAYMENTS: '100000000',
      FUNDING_TOKEN_PRIVATE_KEY: funding.secret,
      FUNDING_PAGE_BASE: `http://127.0.0.1:${addresses.gatewayPort}`,
    },
  };
}
