/**
 * `timeout`, `unreachable`: no complete response · `server_error`: a 5xx · `rate_limited`: a 429, or its pause ·
 * `unreadable`: a malformed body · `unexpected_status`: any other status that the caller cannot use ·
 * `aborted`: ended by the caller, except by its time limit · `circuit_open`, `over_budget`: the call was not made.
 */
export type PeerErrorReason =
  | 'timeout'
  | 'unreachable'
  | 'server_error'
  | 'rate_limited'
  | 'unreadable'
  | 'unexpected_status'
  | 'aborted'
  | 'circuit_open'
  | 'over_budget';

export interface PeerErrorOptions extends ErrorOptions {
  /** Milliseconds to wait, from `Retry-After`; only for `rate_limited`. */
  retryAfterMs?: number;
}

/** A call to another system without a usable response. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  /** The same request can succeed later. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly peer: string,
    readonly reason: PeerErrorReason,
    /** The message without the peer's name. */
    readonly problem: string,
    options: PeerErrorOptions = {},
  ) {
    super(`${peer} ${problem}`, options);
    this.retryable = reason !== 'unexpected_status';
    this.retryAfterMs = options.retryAfterMs;
  }
}

export const unexpectedStatus = (peer: string, status: number, detail = ''): PeerError =>
  new PeerError(
    peer,
    'unexpected_status',
    detail === '' ? `answered ${status}` : `answered ${status}: ${detail}`,
  );
