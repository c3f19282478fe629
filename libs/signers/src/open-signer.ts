import type { Parsed, ServiceContext } from '@bascule/process';
import { isAddressEqual } from 'viem';
import { localSigner } from './local-signer.js';
import type { RemoteKey } from './remote/remote-key.js';
import { parseSignerLocation } from './signer-location.js';
import type { KeyLocation, signersEnv } from './signer-location.js';
import type { Signer } from './signer.js';

export type SignersConfig = Parsed<typeof signersEnv>;

/** Service that signs, and its configuration of signers. */
export interface SignerEnvironment {
  readonly context: Pick<ServiceContext, 'logger' | 'metrics' | 'shutdown'>;
  readonly config: SignersConfig;
}

const RETRY_DELAY_MS = 200;

/**
 * Opens a key and reads its address, once at start.
 *
 * @throws SignerUnavailableError when the key management service does not answer
 * @throws SignerRefusedError when it has no such key for us
 * @throws Error when the key has another address than the location names
 */
export async function openSigner(location: string, env: SignerEnvironment): Promise<Signer> {
  const { key, expected } = parseSignerLocation(location);
  const signer = key.kind === 'local' ? localSigner(key.privateKey) : await openRemote(key, env);
  if (expected !== undefined && !isAddressEqual(expected, signer.address)) {
    throw new Error(
      `the ${key.kind} key has the address ${signer.address}, not ${expected} as configured; correct one of them`,
    );
  }
  env.context.logger.info({ provider: key.kind, address: signer.address }, 'signer opened');
  return signer;
}

type RemoteLocation = Exclude<KeyLocation, { kind: 'local' }>;

async function openRemote(location: RemoteLocation, env: SignerEnvironment): Promise<Signer> {
  const { RemoteSigner } = await import('./remote/remote-signer.js');
  const { context, config } = env;
  const key = await remoteKey(location, config);
  const stop = new AbortController();
  // After the work in flight, which may need a last signature.
  context.shutdown.add('transport', 'signer', async () => {
    stop.abort(new Error('shutting down'));
    key.close();
  });
  return RemoteSigner.open(key, {
    metrics: context.metrics,
    timeoutMs: config.SIGNER_TIMEOUT_MS,
    stopped: stop.signal,
    retryDelayMs: RETRY_DELAY_MS,
  });
}

/** Loads the client of one service; a process without its keys never loads it. */
async function remoteKey(location: RemoteLocation, config: SignersConfig): Promise<RemoteKey> {
  switch (location.kind) {
    case 'aws-kms': {
      const { awsKmsKey } = await import('./remote/aws-kms-key.js');
      const { AWS_ENDPOINT_URL_KMS: endpoint, SIGNER_TIMEOUT_MS: timeoutMs } = config;
      return awsKmsKey({ keyId: location.keyId, endpoint, timeoutMs });
    }
    case 'gcp-kms': {
      const { googleKmsKey } = await import('./remote/google-kms-key.js');
      return googleKmsKey({ name: location.name, endpoint: config.GCP_KMS_ENDPOINT });
    }
    case 'azure-kv': {
      const { azureKey } = await import('./remote/azure-key.js');
      return azureKey({ id: location.id, endpoint: config.AZURE_KEY_VAULT_ENDPOINT });
    }
  }
}
