import { describe, expect, it } from '@jest/globals';
import { requestHeaders, responseHeaders } from './headers.js';

describe('requestHeaders', () => {
  it('keeps end-to-end headers', () => {
    const kept = {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'k',
      'x-signature': 's',
    };
    expect(requestHeaders(kept)).toEqual(kept);
  });

  it('drops credentials, gateway headers and hop-by-hop headers', () => {
    const dropped = {
      authorization: 'Bearer sk_',
      cookie: 'a=b',
      host: 'gateway',
      'content-length': '1',
      'x-internal-token': 'forged',
      'x-client-ip': '1.2.3.4',
      'x-visitor': 'forged',
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
  it('keeps end-to-end headers', () => {
    const kept = { 'content-type': 'application/json', 'content-length': '2', location: '/x' };
    expect(responseHeaders({ ...kept, 'retry-after': '3' })).toEqual({
      ...kept,
      'retry-after': '3',
    });
  });

  it('drops hop-by-hop headers and headers reserved for the gateway', () => {
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
