import CRC32C from 'crc-32/crc32c.js';
import type { SignerOperation } from '../signer-error.js';
import { p256Spki } from './aws-wire.fixture.js';
import type { HttpAnswer, KeyRequest, StandInKey } from './stand-in-key.fixture.js';

const NAME =
  'projects/stand-in/locations/europe-west3/keyRings/bascule/cryptoKeys/signer/cryptoKeyVersions/1';
const TOKEN = 'google-stand-in-token';

const crc32c = (bytes: Uint8Array): number => CRC32C.buf(bytes) >>> 0;

const refusal = (status: number, code: string): HttpAnswer => ({
  status,
  body: { error: { code: status, message: `${code} of the stand-in`, status: code } },
});

/** Google Cloud KMS: REST in JSON with CRC32C of everything, and the tokens of the metadata server. */
export const googleWire = {
  location: `gcp-kms:${NAME}`,
  operationOf(path: string): SignerOperation | undefined {
    if (path.endsWith('/publicKey')) return 'public_key';
    return path.endsWith(':asymmetricSign') ? 'sign' : undefined;
  },
  /** Answer of the metadata server; undefined for other paths. */
  metadata(path: string): HttpAnswer | undefined {
    if (!path.startsWith('/computeMetadata/')) return undefined;
    const headers = { 'metadata-flavor': 'Google' };
    const body = path.includes('/token')
      ? { access_token: TOKEN, expires_in: 3_600, token_type: 'Bearer' }
      : {};
    return { status: 200, headers, body };
  },
  answer(
    key: StandInKey,
    { operation, misbehaviour }: KeyRequest,
    authorization: string,
    { path, body }: { path: string; body: { digest?: { sha256?: string }; digestCrc32c?: string } },
  ): HttpAnswer {
    if (authorization !== `Bearer ${TOKEN}`) return refusal(401, 'UNAUTHENTICATED');
    if (typeof misbehaviour === 'object') return refusal(misbehaviour.status, misbehaviour.code);
    if (!path.startsWith(`/v1/${NAME}`)) return refusal(404, 'NOT_FOUND');
    const name = misbehaviour === 'names another key' ? NAME.replace(/1$/, '2') : NAME;
    const skew = misbehaviour === 'has a wrong checksum' ? 1 : 0;
    const checksum = (bytes: Uint8Array): string => String(crc32c(bytes) + skew);
    const facts = { name, protectionLevel: 'HSM' };
    if (operation === 'public_key') {
      const isForeign = misbehaviour === 'has a key on another curve';
      const pem = pemOf(isForeign ? p256Spki() : key.spki());
      const algorithm = isForeign ? 'EC_SIGN_P256_SHA256' : 'EC_SIGN_SECP256K1_SHA256';
      return {
        status: 200,
        body: { ...facts, pem, algorithm, pemCrc32c: checksum(Buffer.from(pem)) },
      };
    }
    const digest = Buffer.from(body.digest?.sha256 ?? '', 'base64');
    if (digest.length !== 32) return refusal(400, 'INVALID_ARGUMENT');
    const signature = key.sign(digest, 'der', misbehaviour);
    return {
      status: 200,
      body: {
        ...facts,
        signature: signature.toString('base64'),
        signatureCrc32c: checksum(signature),
        verifiedDigestCrc32c:
          misbehaviour !== 'received another digest' &&
          body.digestCrc32c === String(crc32c(digest)),
      },
    };
  },
};

const pemOf = (spki: Buffer): string => {
  const lines = spki.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n');
};
