/** Outcome of a request without a response. */
export type UpstreamFailure =
  'unreachable' | 'overloaded' | 'timed out' | 'broken off' | 'client gone' | 'leaving';

/** Response of a service that is not complete, or not read by the client, within all of its time. */
export class ExchangeTooLongError extends Error {
  readonly code = 'UPSTREAM_TOO_LONG';
}

const FAILURES: Record<string, UpstreamFailure> = {
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UPSTREAM_BUSY: 'overloaded',
  UND_ERR_HEADERS_TIMEOUT: 'timed out',
  UND_ERR_BODY_TIMEOUT: 'timed out',
  UPSTREAM_TOO_LONG: 'timed out',
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

export const upstreamFailure = (error: unknown): UpstreamFailure =>
  FAILURES[codeOf(error)] ?? 'broken off';

/** Connection refused: nothing was sent, so a retry is safe. */
export const isRefused = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED';

/** `broken off` and `leaving` leave open whether the service acted; 503 says that it did not. */
export const STATUS_OF_FAILURE: Record<UpstreamFailure, number> = {
  unreachable: 503,
  overloaded: 503,
  leaving: 502,
  'timed out': 504,
  'broken off': 502,
  'client gone': 499,
};
