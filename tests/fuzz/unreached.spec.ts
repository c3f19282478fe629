import { describe, expect, it } from '@jest/globals';
import { unreachedOperations } from './unreached.js';

const description = {
  paths: {
    '/chains': { get: {} },
    '/orgs/webhooks': { get: { 'x-secret-key-only': true as const } },
    '/providers/{name}/callbacks': { post: {} },
  },
};

describe('a run of random requests', () => {
  it('passes when each operation that a client can reach succeeded once', () => {
    const statuses = { 'GET /chains': [200, 400], 'GET /orgs/webhooks': [200, 401] };
    expect(unreachedOperations(description, statuses)).toEqual([]);
  });

  it('fails when every answer was a refusal, or no request was sent', () => {
    expect(unreachedOperations(description, { 'GET /chains': [401] })).toEqual([
      'GET /chains: no success, but 401',
      'GET /orgs/webhooks: no success, but no request',
    ]);
  });

  it('fails when a publishable key reaches what only secret keys may', () => {
    const refused = { 'GET /chains': [200], 'GET /orgs/webhooks': [403] };
    expect(unreachedOperations(description, refused, true)).toEqual([]);
    const reached = { 'GET /chains': [200], 'GET /orgs/webhooks': [200] };
    expect(unreachedOperations(description, reached, true)).toEqual([
      'GET /orgs/webhooks: a publishable key reached it',
    ]);
  });
});
