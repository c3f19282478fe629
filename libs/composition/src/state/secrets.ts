import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readPrivateJson, writePrivateJson } from './private-file.js';

export interface SigningKey {
  kty: string;
  crv: string;
  kid: string;
  x: string;
  d: string;
}

export interface SealingKey {
  kid: string;
  k: string;
}

/** Created once and kept: other keys could not open the database and tokens. */
export interface Secrets {
  postgresPassword: string;
  rolePassword: string;
  internalTokenKey: SigningKey;
  fundingTokenKey: SigningKey;
  stateTokenKey: SealingKey;
  webhookSecretKey: SealingKey;
  providerApiKey: string;
  providerCallbackSecret: string;
  solverApiKey: string;
}

export function loadSecrets(path: string): Secrets {
  const kept = readPrivateJson(path) as Partial<Secrets> | null;
  // Adds secrets that a later version introduces.
  const secrets = { ...newSecrets(), ...kept };
  writePrivateJson(path, secrets);
  return secrets;
}

export function publicJwks({ d: _, ...publicKey }: SigningKey): string {
  return JSON.stringify({ keys: [publicKey] });
}

function newSecrets(): Secrets {
  return {
    postgresPassword: password(),
    rolePassword: password(),
    internalTokenKey: signingKey('internal'),
    fundingTokenKey: signingKey('funding'),
    stateTokenKey: sealingKey('state'),
    webhookSecretKey: sealingKey('webhook'),
    providerApiKey: password(),
    providerCallbackSecret: password(),
    solverApiKey: password(),
  };
}

const password = () => randomBytes(24).toString('base64url');

const sealingKey = (kid: string): SealingKey => ({
  kid,
  k: randomBytes(32).toString('base64url'),
});

function signingKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { kty = '', crv = '', x = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { kty, crv, kid, x, d };
}
