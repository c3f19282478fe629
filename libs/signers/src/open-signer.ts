import type { Parsed, ServiceContext } from '@bascule/process';
import { getAddress, isAddressEqual } from 'viem';
import type { Address } from 'viem';
import { localSigner } from './local-signer.js';
import type { RemoteKey } from './remote/remote-key.js';
import { SignerRefusedError, SignerUnavailableError } from './signer-error.js';
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
 * Opens a key and reads its address, once at start. Where a key management service does not give it, and the location
 * names the address, the signer opens it later.
 *
 * @throws Error when the key has another address than the location names, or cannot be read and names none
 */
export async function openSigner(location: string, env: SignerEnvironment): Promise<Signer> {
  const { key, expected } = parseSignerLocation(location);
  if (key.kind !== 'local') return openRemote(key, expected, env);
  const signer = requireAddress(localSigner(key.privateKey), key.kind, expected);
  return opened(signer, key.kind, env);
}

type RemoteLocation = Exclude<KeyLocation, { kind: 'local' }>;

async function openRemote(
  location: RemoteLocation,
  expected: Address | undefined,
  env: SignerEnvironment,
): Promise<Signer> {
  const { RemoteSigner } = await import('./remote/remote-signer.js');
  const { context, config } = env;
  const { kind } = location;
  const key = await remoteKey(location, config);
  const stop = new AbortController();
  // After the work in flight, which may need a last signature.
  context.shutdown.add('transport', 'signer', async () => {
    stop.abort(new Error('shutting down'));
    key.close();
  });
  const options = {
    metrics: context.metrics,
    timeoutMs: config.SIGNER_TIMEOUT_MS,
    stopped: stop.signal,
    retryDelayMs: RETRY_DELAY_MS,
  };
  const open = async () => requireAddress(await RemoteSigner.open(key, options), kind, expected);
  try {
    return opened(await open(), kind, env);
  } catch (error) {
    if (!(error instanceof SignerUnavailableError || error instanceof SignerRefusedError)) {
      throw error;
    }
    if (expected === undefined) throw unnamed(error);
    const about = { err: error, provider: kind, address: expected };
    context.logger.error(about, 'signer not opened: the service starts without it');
    const { LazySigner } = await import('./remote/lazy-signer.js');
    const lazy = { provider: kind, context, stopped: stop.signal };
    return new LazySigner(getAddress(expected), open, lazy);
  }
}

function opened(signer: Signer, provider: KeyLocation['kind'], env: SignerEnvironment): Signer {
  env.context.logger.info({ provider, address: signer.address }, 'signer opened');
  return signer;
}

/** @throws Error when the key has another address than the location names */
function requireAddress(
  signer: Signer,
  kind: KeyLocation['kind'],
  expected: Address | undefined,
): Signer {
  if (expected === undefined || isAddressEqual(expected, signer.address)) return signer;
  throw new Error(
    `the ${kind} key has the address ${signer.address}, not ${expected} as configured; correct one of them`,
  );
}

const unnamed = (cause: Error): Error =>
  new Error(
    `${cause.message}; add #0x… with the address of the key to its location, so that the service starts without it`,
    { cause },
  );

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
