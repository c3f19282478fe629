import { createPublicKey } from 'node:crypto';
import type { SignerOperation } from '../signer-error.js';
import { p256Spki } from './aws-wire.fixture.js';
import type { HttpAnswer, KeyRequest, StandInKey } from './stand-in-key.fixture.js';

const PATH = '/keys/signer/0123456789abcdef0123456789abcdef';
const ID = `https://bascule-stand-in.vault.azure.net${PATH}`;
const TOKEN = 'azure-stand-in-token';

const refusal = (status: number, code: string): HttpAnswer => ({
  status,
  body: { error: { code, message: `${code} of the stand-in` } },
});

/** Azure Key Vault: REST in JSON behind an authentication challenge, and the tokens of a managed identity. */
export const azureWire = {
  location: `azure-kv:${ID}`,
  operationOf(path: string): SignerOperation | undefined {
    const [where = ''] = path.split('?');
    if (!where.startsWith('/keys/')) return undefined;
    return where.endsWith('/sign') ? 'sign' : 'public_key';
  },
  /** Answer of the endpoint of managed identities; undefined for other paths. */
  identity(path: string): HttpAnswer | undefined {
    if (!path.startsWith('/identity')) return undefined;
    const lifetime = 3_600;
    return {
      status: 200,
      body: {
        access_token: TOKEN,
        expires_on: String(Math.floor(Date.now() / 1_000) + lifetime),
        resource: 'https://vault.azure.net',
        token_type: 'Bearer',
      },
    };
  },
  answer(
    key: StandInKey,
    { operation, misbehaviour }: KeyRequest,
    authorization: string,
    { path, body }: { path: string; body: { alg?: string; value?: string } },
  ): HttpAnswer {
    if (typeof misbehaviour === 'object') return refusal(misbehaviour.status, misbehaviour.code);
    if (!path.startsWith(PATH)) return refusal(404, 'KeyNotFound');
    const kid = misbehaviour === 'names another key' ? ID.replace(/f$/, '0') : ID;
    if (operation === 'public_key') {
      const isForeign = misbehaviour === 'has a key on another curve';
      const jwk = isForeign ? p256Jwk() : jwkOf(key.point());
      return {
        status: 200,
        body: {
          key: { kid, kty: 'EC-HSM', key_ops: ['sign', 'verify'], ...jwk },
          attributes: { enabled: true, created: 1, updated: 1, recoveryLevel: 'Purgeable' },
        },
      };
    }
    const digest = Buffer.from(body.value ?? '', 'base64url');
    if (body.alg !== 'ES256K' || digest.length !== 32) return refusal(400, 'BadParameter');
    const value = key.sign(digest, 'raw', misbehaviour).toString('base64url');
    return { status: 200, body: { kid, value } };
  },
  isAuthorized: (authorization: string): boolean => authorization === `Bearer ${TOKEN}`,
  challenge: {
    status: 401,
    headers: {
      'www-authenticate':
        'Bearer authorization="https://login.microsoftonline.com/stand-in", resource="https://vault.azure.net"',
    },
    body: { error: { code: 'Unauthorized', message: 'a token is needed' } },
  } satisfies HttpAnswer,
};

const jwkOf = (point: Buffer) => ({
  crv: 'P-256K',
  x: point.subarray(1, 33).toString('base64url'),
  y: point.subarray(33).toString('base64url'),
});

function p256Jwk() {
  const { x, y } = createPublicKey({ key: p256Spki(), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  return { crv: 'P-256', x, y };
}
