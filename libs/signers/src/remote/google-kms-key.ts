import CRC32C from 'crc-32/crc32c.js';
import { GoogleAuth } from 'google-auth-library';
import { InvalidAnswerError } from './remote-key.js';
import type { RemoteKey } from './remote-key.js';
import { readPublicKey } from './public-key.js';

export interface GoogleKmsOptions {
  /** `projects/…/cryptoKeyVersions/N` */
  readonly name: string;
  readonly endpoint: string | undefined;
}

const ENDPOINT = 'https://cloudkms.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';
const ALGORITHM = 'EC_SIGN_SECP256K1_SHA256';

interface PublicKeyAnswer {
  name?: unknown;
  algorithm?: unknown;
  pem?: unknown;
  pemCrc32c?: unknown;
}

interface SignAnswer {
  name?: unknown;
  signature?: unknown;
  signatureCrc32c?: unknown;
  verifiedDigestCrc32c?: unknown;
}

/** A key version of Google Cloud KMS, by its REST API, with application default credentials. */
export function googleKmsKey({ name, endpoint = ENDPOINT }: GoogleKmsOptions): RemoteKey {
  const [, projectId = ''] = name.split('/');
  // Without a project the library asks the `gcloud` program for one, which takes seconds.
  const auth = new GoogleAuth({ scopes: [SCOPE], projectId });
  const key = `${endpoint.replace(/\/$/, '')}/v1/${name}`;
  const request = async <T>(
    method: 'GET' | 'POST',
    url: string,
    signal: AbortSignal,
    data?: object,
  ): Promise<T> => {
    const answer = await auth.request<T>({
      ...{ method, url, signal, redirect: 'error', responseType: 'json', retry: false },
      ...(data === undefined ? {} : { data }),
    });
    return answer.data;
  };
  return {
    provider: 'gcp-kms',
    transientCodes: [],
    async publicKey(signal) {
      const answer = await request<PublicKeyAnswer>('GET', `${key}/publicKey`, signal);
      requireSameKey(name, answer.name);
      if (answer.algorithm !== ALGORITHM) {
        throw new InvalidAnswerError(`needs a key with the algorithm ${ALGORITHM}`);
      }
      const pem = text(answer.pem);
      requireChecksum(Buffer.from(pem), answer.pemCrc32c);
      return readPublicKey(pem);
    },
    async sign(digest, signal) {
      const answer = await request<SignAnswer>('POST', `${key}:asymmetricSign`, signal, {
        digest: { sha256: Buffer.from(digest).toString('base64') },
        digestCrc32c: String(crc32c(digest)),
      });
      requireSameKey(name, answer.name);
      if (answer.verifiedDigestCrc32c !== true) {
        throw new InvalidAnswerError('received a digest with another CRC32C', true);
      }
      const bytes = Buffer.from(text(answer.signature), 'base64');
      requireChecksum(bytes, answer.signatureCrc32c);
      return { form: 'der', bytes };
    },
    failureOf(error) {
      const { status, code, response } = error as {
        status?: unknown;
        code?: unknown;
        response?: { data?: { error?: { status?: unknown } } };
      };
      const reason = response?.data?.error?.status ?? code;
      return {
        status: typeof status === 'number' ? status : undefined,
        code: typeof reason === 'string' ? reason : undefined,
      };
    },
    close: () => undefined,
  };
}

/** CRC32C (Castagnoli), unsigned, as Google's API counts it. */
const crc32c = (bytes: Uint8Array): number => CRC32C.buf(bytes) >>> 0;

function requireSameKey(asked: string, answered: unknown): void {
  if (answered !== asked) throw new InvalidAnswerError('answered for another key version');
}

/** @param checksum int64, which JSON carries as a string */
function requireChecksum(bytes: Uint8Array, checksum: unknown): void {
  if (String(crc32c(bytes)) !== String(checksum)) {
    throw new InvalidAnswerError('answered with another CRC32C', true);
  }
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new InvalidAnswerError('answered without a field');
  return value;
}
