import { boundedAgent, GuardedClient, unexpectedStatus } from '@bascule/json-client';

const BOUNDS = { timeoutMs: 10_000, maxResponseBytes: 16 * 1024 };
const dispatcher = boundedAgent(BOUNDS);
/** One client for each configured attester, which keeps its circuit breaker. */
const clients = new Map<string, GuardedClient>();

function clientOf(baseUrl: string): GuardedClient {
  const known = clients.get(baseUrl);
  if (known) return known;
  const client = new GuardedClient({ ...BOUNDS, peer: peerName(baseUrl), baseUrl, dispatcher });
  clients.set(baseUrl, client);
  return client;
}

const peerName = (baseUrl: string): string => `attester at ${baseUrl}`;

/** @throws PeerError unless the attester signs */
export async function askAttester(
  baseUrl: string,
  request: object,
  signal: AbortSignal,
): Promise<unknown> {
  const { status, body } = await clientOf(baseUrl).post('v1/attestations', request, signal);
  if (status !== 200) {
    throw unexpectedStatus(peerName(baseUrl), status, JSON.stringify(body).slice(0, 200));
  }
  return body;
}
