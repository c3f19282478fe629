import { InternalTokenIssuer, parsePrivateKey, type Caller } from '@bascule/identity';
import { generateKeyPairSync } from 'node:crypto';

export interface InternalTokens {
  /** Environment of the service under test, which then trusts these tokens only. */
  env: { INTERNAL_TOKEN_PUBLIC_KEYS: string };
  token(caller: Partial<Caller>): Promise<string>;
}

/** Stands in for the gateway: signs callers with a key of its own. */
export function internalTokens(): InternalTokens {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'test' };
  const key = parsePrivateKey(JSON.stringify(jwk));
  const issuer = new InternalTokenIssuer(key);
  const { d: _, ...publicKey } = key;
  return {
    env: { INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({ keys: [publicKey] }) },
    token: (caller) => issuer.issue({ ...aCaller, ...caller }),
  };
}

const aCaller: Caller = {
  orgId: '0190b2c3-0000-7000-8000-000000000001',
  keyId: '0190b2c3-0000-7000-8000-000000000002',
  kind: 'secret',
  permissions: [],
};
