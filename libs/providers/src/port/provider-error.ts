import type { Issue } from '@bascule/contracts';

/**
 * `amount`: outside the provider's limits · `unsupported`: token, fiat or method it does not sell ·
 * `rejected`: it understood and refused · `mismatch`: its answer is not about what was asked ·
 * `unavailable`: no usable answer (timeout, network, 5xx, rate limit, unreadable) · `bad_signature`: a callback not signed by it.
 */
export type ProviderErrorCode =
  'amount' | 'unsupported' | 'rejected' | 'mismatch' | 'unavailable' | 'bad_signature';

const RETRYABLE: ReadonlySet<ProviderErrorCode> = new Set(['unavailable']);

/** Why a provider could not do what was asked; `issues` may be shown to the client. */
export class ProviderError extends Error {
  /** Whether the very same request can succeed later. */
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

/** An error whose only issue is a message about the provider. */
export const providerError = (
  provider: string,
  code: Exclude<ProviderErrorCode, 'amount'>,
  message: string,
  cause?: unknown,
): ProviderError =>
  new ProviderError(provider, code, [{ kind: 'provider', message: `${provider}: ${message}` }], {
    cause,
  });
