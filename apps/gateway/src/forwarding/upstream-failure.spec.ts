import { describe, expect, it } from '@jest/globals';
import { STATUS_OF_FAILURE, isRefused, upstreamFailure } from './upstream-failure.js';

describe('a request without a response', () => {
  it.each([
    ['ECONNREFUSED', 503],
    ['ENOTFOUND', 503],
    ['UND_ERR_CONNECT_TIMEOUT', 503],
    ['UPSTREAM_BUSY', 503],
    ['UND_ERR_HEADERS_TIMEOUT', 504],
    ['UND_ERR_BODY_TIMEOUT', 504],
    ['UND_ERR_SOCKET', 502],
    ['ECONNRESET', 502],
    [undefined, 502],
  ])('maps %s to %d', (code, status) => {
    expect(STATUS_OF_FAILURE[upstreamFailure(Object.assign(new Error(), { code }))]).toBe(status);
  });

  it('is retried only after a refused connection', () => {
    expect(isRefused({ code: 'ECONNREFUSED' })).toBe(true);
    for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', undefined]) {
      expect(isRefused({ code })).toBe(false);
    }
    expect(isRefused(undefined)).toBe(false);
  });
});
