import type { Issue } from '@bascule/contracts';

/**
 * `amount`: outside the provider's limits · `unsupported`: token, fiat or method not sold ·
 * `rejected`: refused for another reason, such as the customer's identity, location or destination · `mismatch`: the response does not match the request ·
 * `unavailable`: no usable response (timeout, network, 5xx, rate limit, unreadable) · `bad_signature`: an unsigned callback.
 */
export type ProviderErrorCode =
  'amount' | 'unsupported' | 'rejected' | 'mismatch' | 'unavailable' | 'bad_signature';

const RETRYABLE: ReadonlySet<ProviderErrorCode> = new Set(['unavailable']);

/** Failure of a provider; `issues` may be shown to the client. */
export class ProviderError extends Error {
  /** The same request can succeed later. */
  readonly retryable: boolean;

  constructor(
    readonly provider: string,
    readonly code: ProviderErrorCode,
    readonly issues: readonly Issue[],
    options?: ErrorOptions,
  ) {
    super(
      `${provider}: ${issues.map((issue) => ('message' in issue ? issue.message : issue.kind)).join('; ')}`,
      options,
    );
    this.name = 'ProviderError';
    this.retryable = RETRYABLE.has(code);
  }
}

/** Creates an error with one issue: a message about the provider. */
export const providerError = (
  provider: string,
  code: Exclude<ProviderErrorCode, 'amount'>,
  message: string,
  cause?: unknown,
): ProviderError =>
  new ProviderError(provider, code, [{ kind: 'provider', message: `${provider}: ${message}` }], {
    cause,
  });
