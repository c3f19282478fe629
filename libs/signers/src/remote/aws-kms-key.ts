import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { InvalidAnswerError } from './remote-key.js';
import type { RemoteKey } from './remote-key.js';
import { readPublicKey } from './public-key.js';

export interface AwsKmsOptions {
  /** Id, alias or ARN. */
  readonly keyId: string;
  readonly endpoint: string | undefined;
  readonly timeoutMs: number;
}

const REGION_OF_ARN = /^arn:[^:]+:kms:([^:]+):/;

/** Failures of AWS that it answers with a 400, or by its SDK before a request. */
const TRANSIENT_CODES = [
  'DependencyTimeoutException',
  'ExpiredTokenException',
  'KMSInternalException',
  'KeyUnavailableException',
  'LimitExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

/** A key of AWS KMS, with the credentials and region of the SDK's default chain; an ARN names its region. */
export function awsKmsKey({ keyId, endpoint, timeoutMs }: AwsKmsOptions): RemoteKey {
  const region = REGION_OF_ARN.exec(keyId)?.[1];
  const client = new KMSClient({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 1,
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs },
  });
  return {
    provider: 'aws-kms',
    transientCodes: TRANSIENT_CODES,
    async publicKey(abortSignal) {
      const command = new GetPublicKeyCommand({ KeyId: keyId });
      const { PublicKey } = await client.send(command, { abortSignal });
      if (!PublicKey) throw new InvalidAnswerError('answered without a public key');
      return readPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
    },
    async sign(digest, abortSignal) {
      const command = new SignCommand({
        KeyId: keyId,
        Message: digest,
        MessageType: 'DIGEST',
        // Names the length of the digest only: AWS hashes no digest.
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      const { Signature } = await client.send(command, { abortSignal });
      if (!Signature) throw new InvalidAnswerError('answered without a signature');
      return { form: 'der', bytes: Signature };
    },
    failureOf(error) {
      const { name, $metadata } = error as {
        name?: string;
        $metadata?: { httpStatusCode?: number };
      };
      return { status: $metadata?.httpStatusCode, code: name };
    },
    close: () => client.destroy(),
  };
}
