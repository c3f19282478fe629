import { boundedAgent, JsonClient, unexpectedStatus } from '@bascule/json-client';

const BOUNDS = { timeoutMs: 10_000, maxResponseBytes: 16 * 1024 };
const dispatcher = boundedAgent(BOUNDS);

/** @throws PeerError unless the attester signs */
export async function askAttester(
  baseUrl: string,
  request: object,
  signal: AbortSignal,
): Promise<unknown> {
  const peer = `attester at ${baseUrl}`;
  const client = new JsonClient({ ...BOUNDS, peer, baseUrl, dispatcher });
  const { status, body } = await client.post('v1/attestations', request, signal);
  if (status !== 200) throw unexpectedStatus(peer, status, JSON.stringify(body).slice(0, 200));
  return body;
}
