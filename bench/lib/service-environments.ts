import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { developmentAccounts } from '@bascule/local-stack';

type Environment = Record<string, string>;

interface Addresses {
  gatewayPort: number;
  paymentPort: number;
  gatewayDatabase: string;
  paymentDatabase: string;
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

/** A gateway and a payment service as a deployment configures them. */
export function serviceEnvironments(
  addresses: Addresses,
): Record<'gateway' | 'payment', Environment> {
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
  const paymentUrl = `http://127.0.0.1:${addresses.paymentPort}`;
  return {
    gateway: {
      ...common,
      PORT: String(addresses.gatewayPort),
      DATABASE_URL: addresses.gatewayDatabase,
      INTERNAL_TOKEN_PRIVATE_KEY: internal.secret,
      FUNDING_TOKEN_PUBLIC_KEYS: funding.jwks,
      RATE_LIMIT_REQUESTS: '100000000',
      QUOTE_URL: paymentUrl,
      PAYMENT_URL: paymentUrl,
      WITHDRAWAL_URL: paymentUrl,
      CATALOGUE_URL: paymentUrl,
      WEBHOOK_DISPATCH_URL: paymentUrl,
    },
    payment: {
      ...common,
      PORT: String(addresses.paymentPort),
      DATABASE_URL: addresses.paymentDatabase,
      STATE_TOKEN_KEYS: sealingKeys(),
      IDEMPOTENCY_KEYS: sealingKeys(),
      PROVIDERS: '[]',
      EXECUTOR_PRIVATE_KEY: developmentAccounts[2].privateKey,
      FUNDING_TOKEN_PRIVATE_KEY: funding.secret,
      FUNDING_PAGE_BASE: `http://127.0.0.1:${addresses.gatewayPort}`,
    },
  };
}
