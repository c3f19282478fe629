import { ResponseBodyTooLargeError, TimeoutError } from 'viem';

/** Most bytes of a node's answer. */
const MAX_ANSWER_BYTES = 10 * 2 ** 20;

export interface FetchOptions {
  /** Most bytes of an answer. */
  maxBytes?: number;
  onTimeout?: () => void;
}

/**
 * Creates a `fetch` for viem's HTTP transport, whose own timeout ends with the headers: it reads the body under the same
 * timeout, up to a number of bytes, and follows no redirect. Its timeout names the node by its origin: URLs contain keys.
 */
export const boundedFetch =
  ({ maxBytes = MAX_ANSWER_BYTES, onTimeout }: FetchOptions = {}): typeof fetch =>
  async (input, init) => {
    try {
      const response = await fetch(input, { ...init, redirect: 'error' });
      const { status, statusText, headers } = response;
      return new Response(await readBody(response, maxBytes), { status, statusText, headers });
    } catch (error) {
      if (init?.signal?.aborted !== true) throw error;
      onTimeout?.();
      const { origin } = new URL(input instanceof Request ? input.url : input);
      throw new TimeoutError({ body: {}, url: origin });
    }
  };

async function readBody(response: Response, maxSize: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > maxSize) throw new ResponseBodyTooLargeError({ maxSize, size });
    parts.push(part);
  }
  return Buffer.concat(parts);
}
