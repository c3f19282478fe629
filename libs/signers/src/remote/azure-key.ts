import { createDefaultHttpClient, createPipelineRequest } from '@azure/core-rest-pipeline';
import type { HttpClient } from '@azure/core-rest-pipeline';
import { DefaultAzureCredential } from '@azure/identity';
import { CryptographyClient, KeyClient } from '@azure/keyvault-keys';
import type { KeyVaultKey } from '@azure/keyvault-keys';
import { InvalidAnswerError } from './remote-key.js';
import type { RemoteKey } from './remote-key.js';
import { readPublicKey } from './public-key.js';

export interface AzureKeyOptions {
  /** `https://<vault>/keys/<name>/<version>` */
  readonly id: string;
  readonly endpoint: string | undefined;
}

/** Names secp256k1 at Azure. */
const CURVE = 'P-256K';
/** Names ECDSA on that curve; Azure hashes no digest. */
const ALGORITHM = 'ES256K';

/** A key version of Azure Key Vault, with the credentials of `DefaultAzureCredential`. */
export function azureKey({ id, endpoint }: AzureKeyOptions): RemoteKey {
  const { origin, pathname } = new URL(id);
  const [, , keyName = '', version = ''] = pathname.split('/');
  const credential = new DefaultAzureCredential();
  const options = {
    retryOptions: { maxRetries: 0 },
    ...(endpoint === undefined ? {} : { httpClient: redirected(endpoint) }),
  };
  const vault = new KeyClient(origin, credential, options);
  let signing: CryptographyClient | undefined;

  const readKey = async (abortSignal: AbortSignal): Promise<KeyVaultKey> => {
    const key = await vault.getKey(keyName, { version, abortSignal });
    if (key.id !== id) throw new InvalidAnswerError('answered for another key version');
    return key;
  };
  return {
    provider: 'azure-kv',
    transientCodes: [],
    async publicKey(signal) {
      const key = await readKey(signal);
      const { crv, x, y } = key.key ?? {};
      if (crv !== CURVE || !x || !y) throw new InvalidAnswerError(`needs a key on ${CURVE}`);
      signing = new CryptographyClient(key, credential, options);
      return readPublicKey({
        key: { kty: 'EC', crv: 'secp256k1', x: base64url(x), y: base64url(y) },
        format: 'jwk',
      });
    },
    async sign(digest, abortSignal) {
      signing ??= new CryptographyClient(await readKey(abortSignal), credential, options);
      const { result } = await signing.sign(ALGORITHM, digest, { abortSignal });
      return { form: 'raw', bytes: result };
    },
    failureOf(error) {
      const { statusCode, code } = error as { statusCode?: number; code?: unknown };
      return { status: statusCode, code: typeof code === 'string' ? code : undefined };
    },
    close: () => undefined,
  };
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Sends the requests for the vault to the endpoint; the client above still sees those for the vault. */
function redirected(endpoint: string): HttpClient {
  const client = createDefaultHttpClient();
  return {
    async sendRequest(request) {
      const { pathname, search } = new URL(request.url);
      const target = new URL(`${pathname}${search}`, endpoint);
      const response = await client.sendRequest(
        createPipelineRequest({
          ...request,
          url: target.href,
          allowInsecureConnection: target.protocol === 'http:',
        }),
      );
      return { ...response, request };
    },
  };
}
