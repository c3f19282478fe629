import { Agent } from 'undici';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 16 * 1024;

const dispatcher = new Agent({
  connect: { timeout: 2_000 },
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
  keepAliveTimeout: 4_000,
  maxResponseSize: MOST_BYTES,
});

/** @throws Error unless it signs */
export async function askAttester(
  baseUrl: string,
  request: object,
  signal: AbortSignal,
): Promise<unknown> {
  const url = new URL('v1/attestations', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const answer = await dispatcher.request({
    origin: url.origin,
    path: url.pathname,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) {
    throw new Error(`it answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  }
  return JSON.parse(text);
}
