import { BaseError, HttpRequestError, ResponseBodyTooLargeError } from 'viem';

const OF_SIZE =
  /too (large|big|many)|more than|(response|results?|size|range|logs?) .*exceed|exceed\w* .*(size|results?|range|logs|bytes)|greater than \d+ bytes|limited to|max(imum)? (logs|results)/i;
const OF_RATE =
  /\brate\b|too many requests|request (count|limit)|per (second|minute|day)|throughput|compute units|capacity|quota/i;

/** An answer was refused for its size, by the client's limit or by the node. */
export class AnswerTooLargeError extends BaseError {
  /** Status of an answer that is too large. viem repeats no request that failed with a code it does not list. */
  readonly code = 413;

  constructor(cause: Error) {
    super('The answer of the node is too large.', { cause, name: 'AnswerTooLargeError' });
  }
}

/** Whether an answer was refused for its size; not for the rate of requests. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((it) => it instanceof AnswerTooLargeError) !== null;

/** Methods whose answers grow with a block: the words of other errors, such as those of contracts, tell nothing. */
const IS_BULK = /^(eth_getLogs|eth_getBlock|eth_getTransaction|trace_|debug_trace)/;

/** Whether a failed request of a method tells that its answer is too large. */
export const tellsOfSize = (error: unknown, method: string): error is BaseError =>
  error instanceof ResponseBodyTooLargeError ||
  (error instanceof HttpRequestError && error.status === 413) ||
  (error instanceof BaseError &&
    IS_BULK.test(method) &&
    OF_SIZE.test(error.details) &&
    !OF_RATE.test(error.details));
