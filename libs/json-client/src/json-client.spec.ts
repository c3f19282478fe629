import { describe, expect, it } from '@jest/globals';
import { MockAgent } from 'undici';
import { JsonClient } from './json-client.js';
import { PeerError } from './peer-error.js';

const ORIGIN = 'http://peer.example';

function mocked(): { agent: MockAgent; client: JsonClient } {
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  return {
    agent: dispatcher,
    client: new JsonClient({ peer: 'peer', baseUrl: `${ORIGIN}/api`, dispatcher }),
  };
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'answered',
    (error: unknown) => error,
  );
}

describe('JsonClient', () => {
  it('sends JSON below the base URL and returns status and body, also for a 4xx', async () => {
    const { agent, client } = mocked();
    agent
      .get(ORIGIN)
      .intercept({ path: '/api/v1/quotes?a=b,c', method: 'POST', body: '{"x":1}' })
      .reply(422, '{"error":{}}');
    expect(await client.post('v1/quotes?a=b,c', { x: 1 })).toEqual({
      status: 422,
      body: { error: {} },
    });
  });

  it('sends a form, with headers of its own', async () => {
    const { agent, client } = mocked();
    agent
      .get(ORIGIN)
      .intercept({
        path: '/api/x',
        method: 'POST',
        body: 'a%5Bb%5D=c+d',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': 'one',
        },
      })
      .reply(200, '{}');
    const form = new URLSearchParams({ 'a[b]': 'c d' });
    expect((await client.post('x', form, undefined, { 'idempotency-key': 'one' })).status).toBe(
      200,
    );
  });

  it('keeps every digit of a number as text, where asked to', async () => {
    const dispatcher = new MockAgent();
    dispatcher
      .get(ORIGIN)
      .intercept({ path: '/x' })
      .reply(200, '{"amounts":[0.123456789012345678,1e-7,-0],"text":"1","none":null,"yes":true}');
    const client = new JsonClient({
      peer: 'peer',
      baseUrl: ORIGIN,
      exactNumbers: true,
      dispatcher,
    });
    expect((await client.get('x')).body).toEqual({
      amounts: ['0.123456789012345678', '1e-7', '-0'],
      text: '1',
      none: null,
      yes: true,
    });
  });

  it('calls the base URL itself for an empty path', async () => {
    const { agent, client } = mocked();
    agent.get(ORIGIN).intercept({ path: '/api' }).reply(200, '<xml/>');
    expect(await client.getText('', 'application/xml')).toEqual({ status: 200, text: '<xml/>' });
  });

  it.each([
    ['a 503', 503, '{}', 'server_error'],
    ['a 429', 429, '{}', 'rate_limited'],
    ['a page of HTML', 200, '<html>', 'unreadable'],
  ])('throws a retryable PeerError for %s', async (_, status, text, reason) => {
    const { agent, client } = mocked();
    agent.get(ORIGIN).intercept({ path: '/api/x' }).reply(status, text);
    const failure = await failureOf(client.get('x'));
    expect(failure).toBeInstanceOf(PeerError);
    expect(failure).toMatchObject({ peer: 'peer', reason, retryable: true });
  });

  it('reads the Retry-After of a 429', async () => {
    const { agent, client } = mocked();
    agent
      .get(ORIGIN)
      .intercept({ path: '/api/x' })
      .reply(429, '{}', { headers: { 'retry-after': '7' } });
    expect(await failureOf(client.get('x'))).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('returns a redirect instead of following it', async () => {
    const { agent, client } = mocked();
    agent
      .get(ORIGIN)
      .intercept({ path: '/api/x' })
      .reply(302, '{}', { headers: { location: `${ORIGIN}/elsewhere` } });
    expect(await client.get('x')).toEqual({ status: 302, body: {} });
  });

  it('reports a broken connection as unreachable', async () => {
    const { agent, client } = mocked();
    agent.get(ORIGIN).intercept({ path: '/api/x' }).replyWithError(new Error('ECONNRESET'));
    const unreachable = { name: 'PeerError', reason: 'unreachable', retryable: true };
    expect(await failureOf(client.get('x'))).toMatchObject(unreachable);
  });

  it('tells the caller’s time limit from another end of the call', async () => {
    const { agent, client } = mocked();
    agent.get(ORIGIN).intercept({ path: '/api/x' }).reply(200, '{}').persist();
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(await failureOf(client.get('x', late))).toMatchObject({ reason: 'timeout' });
    expect(await failureOf(client.get('x', AbortSignal.abort()))).toMatchObject({
      reason: 'aborted',
      retryable: true,
    });
  });
});
