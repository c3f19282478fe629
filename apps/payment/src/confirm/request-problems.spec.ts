import { describe, expect, it } from '@jest/globals';
import { requestProblems } from './request-problems.js';

const known = { refused: [], isChain: (name: string) => name === 'alphanet', hint: '' };
const fields = (body: unknown) => requestProblems(body, known).map(({ path }) => path[0]);

describe('requestProblems', () => {
  it('ignores values of the wrong type', () => {
    for (const body of [undefined, null, 'text', 7, [], {}]) expect(fields(body)).toEqual([]);
    expect(fields({ owner_address: 'me', owner_chain: 7, client_redirect_url: null })).toEqual([]);
  });

  it('reports every problem', () => {
    const zero = `0x${'0'.repeat(40)}`;
    expect(
      fields({
        owner_address: zero,
        destination_address: zero,
        owner_chain: 'nowhere',
        client_redirect_url: 'data:,x',
      }),
    ).toEqual(['owner_address', 'destination_address', 'owner_chain', 'client_redirect_url']);
    expect(fields({ owner_chain: 'alphanet' })).toEqual([]);
  });

  it('refuses a condition of a redirect without its URL', () => {
    const client_redirect_url = 'https://shop.example/done';
    for (const client_redirect_after of ['FUNDED', 'COMPLETED']) {
      expect(fields({ client_redirect_after })).toEqual(['client_redirect_after']);
      expect(fields({ client_redirect_after, client_redirect_url: null })).toHaveLength(1);
      expect(fields({ client_redirect_after, client_redirect_url })).toEqual([]);
    }
    expect(fields({ client_redirect_after: null })).toEqual([]);
  });
});
