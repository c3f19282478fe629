import { PartyApiError } from '@bascule/party-api';

/** HTTP status of each reason to sign nothing. */
const REFUSAL_STATUS = {
  invalid_request: 400,
  /** Unknown chain, escrow or oracle. */
  foreign_order: 422,
  /** Not open in the origin chain's final block: not yet, no longer, or never. */
  not_open: 409,
  /** No final block of the destination has the fill or the end of the window. */
  not_final: 409,
  endpoints_disagree: 409,
  chain_unavailable: 503,
  /** Too many requests of this client. */
  rate_limited: 429,
  busy: 503,
  /** The key management service does not answer, or does not let this attester sign. */
  signer_unavailable: 503,
  signer_refused: 503,
} as const;
export type RefusalCode = keyof typeof REFUSAL_STATUS;

export class Refusal extends PartyApiError<RefusalCode> {
  override readonly name = 'Refusal';

  /** @param retryAfterMs delay until another answer is possible; absent when it never is */
  constructor(
    code: RefusalCode,
    message: string,
    readonly retryAfterMs?: number,
    cause?: unknown,
  ) {
    const fields = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs };
    super(code, REFUSAL_STATUS[code], message, fields, { cause });
  }
}
