export type SignerProvider = 'aws-kms' | 'gcp-kms' | 'azure-kv';
export type SignerOperation = 'public_key' | 'sign';

/** Request to a key management service, as errors and metrics name it. */
export interface SignerRequest {
  readonly provider: SignerProvider;
  readonly operation: SignerOperation;
}

/** Failed request. Holds no digest, credential or response of the service. */
abstract class SignerError<Reason extends string> extends Error {
  abstract readonly retryable: boolean;

  constructor(
    readonly request: SignerRequest,
    readonly reason: Reason,
    problem: string,
  ) {
    super(`${request.provider}: ${request.operation} ${problem}`);
  }
}

/** The service gave no usable answer, or was throttling: the same request can succeed later. */
export class SignerUnavailableError extends SignerError<'timeout' | 'aborted' | 'unavailable'> {
  override readonly name = 'SignerUnavailableError';
  readonly retryable = true;
}

/** Wrong key, missing permission, or an answer that is not of the key: a retry cannot help. */
export class SignerRefusedError extends SignerError<'refused' | 'invalid_answer'> {
  override readonly name = 'SignerRefusedError';
  readonly retryable = false;
}
