import { describe, expect, it } from '@jest/globals';
import { requestHeaders, responseHeaders } from './headers.js';

describe('requestHeaders', () => {
  it('keep what the client says to the service', () => {
    const kept = {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'k',
      'x-signature': 's',
    };
    expect(requestHeaders(kept)).toEqual(kept);
  });

  it('drop credentials, what the gateway says itself, and what is for one connection', () => {
    const dropped = {
      authorization: 'Bearer sk_',
      cookie: 'a=b',
      host: 'gateway',
      'content-length': '1',
      'x-internal-token': 'forged',
      'x-client-ip': '1.2.3.4',
      'x-request-id': 'x',
      traceparent: '00-1-2-01',
      tracestate: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil',
      forwarded: 'for=1.2.3.4',
      'x-real-ip': '1.2.3.4',
      connection: 'keep-alive, X-Secret-Hop',
      'x-secret-hop': '1',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      te: 'trailers',
      upgrade: 'websocket',
      'proxy-authorization': 'Basic',
      expect: '100-continue',
    };
    expect(requestHeaders(dropped)).toEqual({});
  });
});

describe('responseHeaders', () => {
  it('keep what the service says to the client', () => {
    const kept = { 'content-type': 'application/json', 'content-length': '2', location: '/x' };
    expect(responseHeaders({ ...kept, 'retry-after': '3' })).toEqual({
      ...kept,
      'retry-after': '3',
    });
  });

  it('drop what is for one connection and what services do not set', () => {
    const dropped = {
      connection: 'close, x-hop',
      'x-hop': '1',
      'keep-alive': 'timeout=72',
      'transfer-encoding': 'chunked',
      'set-cookie': ['a=b'],
      'x-internal-token': 't',
    };
    expect(responseHeaders(dropped)).toEqual({});
  });
});
