import { ConfigurationError } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { parsePaymentConfig } from './payment.config.js';

const jwk = (isPrivate: boolean): Record<string, unknown> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { ...(isPrivate ? privateKey : publicKey).export({ format: 'jwk' }), kid: 'k' };
};
const key = `0x${'ab'.repeat(32)}`;
const env = {
  PORT: '0',
  DATABASE_URL: 'postgres://u:p@127.0.0.1/x',
  INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({ keys: [jwk(false)] }),
  CHAINS: 'alphanet',
  RPC_URLS_ALPHANET: 'http://127.0.0.1:8545',
  STATE_TOKEN_KEYS: JSON.stringify([{ kid: 'k', k: Buffer.alloc(32, 1).toString('base64url') }]),
  PROVIDERS: '[]',
  EXECUTOR_PRIVATE_KEY: key,
  FUNDING_TOKEN_PRIVATE_KEY: JSON.stringify(jwk(true)),
  FUNDING_PAGE_BASE: 'https://pay.example',
};

describe('parsePaymentConfig', () => {
  it('has the specification’s defaults', () => {
    const config = parsePaymentConfig(env);
    expect(config).toMatchObject({
      fundingMinutes: 10,
      tokenExecutionWindowMs: 86_400_000,
      onrampExecutionWindowMs: 14 * 86_400_000,
      ownerVerificationUsd: '300',
    });
    expect(config.database.schema).toBe('payment');
  });

  it('reports every problem', () => {
    const wrong = {
      ...env,
      EXECUTOR_PRIVATE_KEY: '0x12',
      FUNDING_PAGE_BASE: 'nowhere',
      OWNER_VERIFICATION_USD: 'much',
      CHAINS: 'mars',
      FUNDING_TOKEN_PRIVATE_KEY: '{}',
    };
    let problems: readonly string[] = [];
    try {
      parsePaymentConfig(wrong);
    } catch (error) {
      if (error instanceof ConfigurationError) problems = error.problems;
    }
    const named = ['EXECUTOR_PRIVATE_KEY', 'FUNDING_PAGE_BASE', 'OWNER_VERIFICATION_USD', 'CHAINS'];
    for (const name of [...named, 'FUNDING_TOKEN_PRIVATE_KEY']) {
      expect(problems.join('\n')).toContain(name);
    }
  });

  it('does not print its keys', () => {
    const screening = { SCREENING_API_URL: 'https://s.example', SCREENING_API_KEY: 's-key' };
    const config = parsePaymentConfig({ ...env, ...screening });
    expect(config.screening.api?.key).toBe('s-key');
    for (const printed of [inspect(config, { depth: 9 }), JSON.stringify({ config })]) {
      expect(printed).not.toContain(key);
      expect(printed).not.toContain('s-key');
      expect(printed).not.toContain(config.fundingTokenKey.current.d);
      expect(printed).toContain('FUNDING_PAGE_BASE');
    }
  });
});
