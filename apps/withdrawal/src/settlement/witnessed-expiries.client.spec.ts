import type { Chain, EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { witnessedExpiries } from './witnessed-expiries.client.js';
import type { ExpiryState } from './witnessed-expiries.client.js';

/** Reads the states of withdrawals on a chain whose nodes say this, in their order. */
async function read(
  ...said: (ExpiryState[] | Error)[]
): Promise<{ states: ExpiryState[]; asked: number }> {
  const endpoints = said.map((_, index) => ({ index })) as unknown as EndpointClient[];
  const chain = { name: 'alphanet', endpoints } as unknown as Chain;
  const [node] = endpoints;
  if (node === undefined) throw new Error('a chain has nodes');
  let asked = 0;
  const states = await witnessedExpiries(chain, { number: 98n, node }, (one) => {
    asked += 1;
    const answer = said[endpoints.indexOf(one)] ?? [];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return { states, asked };
}

describe('witnessedExpiries', () => {
  it('takes the word of the only node', async () => {
    expect(await read(['unused'])).toEqual({ states: ['unused'], asked: 1 });
  });

  it('asks one node where each withdrawal was executed', async () => {
    const states: ExpiryState[] = ['used', 'used'];
    expect(await read(states, ['unused', 'unused'])).toEqual({ states, asked: 1 });
  });

  it.each<[string, ExpiryState[] | Error]>([
    ['has not expired', ['open']],
    ['cannot be read', new Error('no such block')],
  ])('ends one as expired though the first of three nodes says that it %s', async (_, lie) => {
    expect((await read(lie, ['unused'], ['unused'])).states).toEqual(['unused']);
  });

  it('takes what two nodes say, each asked once', async () => {
    expect(await read(['unused'], ['unused'])).toEqual({ states: ['unused'], asked: 2 });
    expect((await read(['unused'], ['used'], ['used'])).states).toEqual(['used']);
  });

  it('ends no withdrawal as expired that one of two nodes has executed', async () => {
    await expect(read(['unused', 'open'], ['used', 'open'])).rejects.toThrow(
      'no second node of alphanet',
    );
  });
});
