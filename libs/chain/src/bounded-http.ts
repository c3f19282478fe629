import { createTransport, http } from 'viem';
import type { HttpTransport } from 'viem';
import { AnswerTooLargeError, tellsOfSize } from './answer-too-large-error.js';
import { boundedFetch } from './bounded-fetch.js';
import type { FetchOptions } from './bounded-fetch.js';
import { inOneSpelling } from './one-spelling.js';

interface BoundedHttpOptions extends FetchOptions {
  timeout: number;
  /** Retries of a failed request; what is too large is not asked for again. */
  retryCount: number;
}

/** viem's HTTP transport with bounded answers, whose hashes are in lower case. */
export function boundedHttp(
  url: string,
  { timeout, retryCount, ...limits }: BoundedHttpOptions,
): HttpTransport {
  const transport = http(url, {
    timeout,
    retryCount,
    fetchFn: boundedFetch(limits),
    // The body is bounded by `boundedFetch`.
    maxResponseBodySize: false,
  });
  return (options) => {
    const { config, value } = transport(options);
    const request: typeof config.request = async (call, ...more) => {
      try {
        return inOneSpelling(await config.request(call, ...more));
      } catch (error) {
        throw tellsOfSize(error, call.method) ? new AnswerTooLargeError(error) : error;
      }
    };
    return createTransport({ ...config, request }, value);
  };
}
