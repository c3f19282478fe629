import { PartyApiError } from '@bascule/party-api';

/** HTTP status of each reason to sign nothing. */
const REFUSAL_STATUS = {
  invalid_request: 400,
  /** Of a chain, an escrow or an oracle that this attester does not speak about. */
  foreign_order: 422,
  /** The origin chain's final block does not hold it as open: not yet, no more, or never. */
  not_open: 409,
  /** Neither its fill nor the end of its window is in a final block of the destination chain. */
  not_final: 409,
  endpoints_disagree: 409,
  chain_unavailable: 503,
  busy: 503,
} as const;
export type RefusalCode = keyof typeof REFUSAL_STATUS;

export class Refusal extends PartyApiError<RefusalCode> {
  override readonly name = 'Refusal';

  /** @param retryAfterMs when another answer is to be expected; never, when absent */
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
