import { eventually, startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturingServer } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GuardedClient } from './guarded-client.js';

const hang = () => new Promise<CannedResponse>(() => undefined);
const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error as { reason?: string }).reason,
  );

describe('GuardedClient', () => {
  let peer: CapturingServer;
  const start = async (
    respond: (index: number) => CannedResponse | Promise<CannedResponse>,
    options: { timeoutMs?: number; maxConcurrent?: number } = {},
  ) => {
    peer = await startCapturingServer((_, index) => respond(index));
    const bounds = { timeoutMs: 60_000, ...options };
    return new GuardedClient({ peer: 'peer', baseUrl: peer.url, ...bounds });
  };
  afterEach(() => peer.stop());

  it.each([
    ['answers 500 for ever', 'server_error', () => ({ status: 500, body: '{}' })],
    ['answers HTML', 'unreadable', () => ({ body: '<html>' })],
    ['answers 100 MB', 'unreachable', () => ({ body: `"${'x'.repeat(100 * 1024 * 1024)}"` })],
    ['never answers', 'timeout', hang],
  ] as const)('calls a peer that %s five times only', async (_, reason, respond) => {
    const client = await start(respond, { timeoutMs: reason === 'timeout' ? 200 : 60_000 });
    for (let call = 0; call < 5; call += 1) {
      expect(await reasonOf(client.get('x'))).toBe(reason);
    }
    expect(await reasonOf(client.get('x'))).toBe('circuit_open');
    // A call that timed out may not have arrived.
    if (reason === 'timeout') expect(peer.requests.length).toBeLessThanOrEqual(5);
    else expect(peer.requests).toHaveLength(5);
  });

  it('tries a peer again with one call, and fails the others at once', async () => {
    let release: (answer: CannedResponse) => void = () => undefined;
    const held = new Promise<CannedResponse>((resolve) => (release = resolve));
    const client = await start((index) => {
      if (index < 5) return { status: 500, body: '{}' };
      return index === 5 ? held : { body: '{}' };
    });
    for (let call = 0; call < 5; call += 1) await reasonOf(client.get('x'));
    const trials: Promise<unknown>[] = [];
    await eventually(() => {
      trials.push(reasonOf(client.get('x')));
      expect(peer.requests).toHaveLength(6);
    });
    const others = await Promise.all([1, 2, 3].map(() => reasonOf(client.get('x'))));
    expect(others).toEqual(Array(3).fill('circuit_open'));
    expect(peer.requests).toHaveLength(6);
    release({ body: '{}' });
    expect(await Promise.all(trials)).toContain('answered');
    expect(await reasonOf(client.get('x'))).toBe('answered');
  });

  it('pauses after a 429 without another call, and opens no circuit', async () => {
    const client = await start(() => ({ status: 429, headers: { 'retry-after': '7' } }));
    expect(await reasonOf(client.get('x'))).toBe('rate_limited');
    for (let call = 0; call < 9; call += 1) {
      expect(await reasonOf(client.get('x'))).toBe('rate_limited');
    }
    expect(peer.requests).toHaveLength(1);
  });

  it('pauses for a minute at most', async () => {
    const client = await start(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    await reasonOf(client.get('x'));
    const failure: unknown = await client.get('x').catch((error: unknown) => error);
    const ms = /for (\d+) ms/.exec(failure instanceof Error ? failure.message : '')?.[1];
    expect(Number(ms)).toBeLessThanOrEqual(60_000);
  });

  it('refuses calls beyond its limit of concurrent ones', async () => {
    const client = await start(hang, { maxConcurrent: 2 });
    const ended = new AbortController();
    const waiting = [client.get('x', ended.signal), client.get('x', ended.signal)].map(reasonOf);
    expect(await reasonOf(client.get('x'))).toBe('over_budget');
    ended.abort();
    expect(await Promise.all(waiting)).toEqual(['aborted', 'aborted']);
  });

  it('does not count calls that the caller no longer needs', async () => {
    const client = await start((index) => (index < 9 ? hang() : { body: '{}' }));
    for (let call = 0; call < 9; call += 1) {
      const ended = new AbortController();
      const waiting = reasonOf(client.get('x', ended.signal));
      await eventually(() => expect(peer.requests).toHaveLength(call + 1));
      ended.abort();
      expect(await waiting).toBe('aborted');
    }
    expect(await reasonOf(client.get('x'))).toBe('answered');
  });
});
