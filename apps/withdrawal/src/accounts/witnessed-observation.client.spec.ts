import type { Chain, EndpointClient } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { witnessedObservation } from './witnessed-observation.client.js';
import type { Observation } from './withdrawal-account.js';

const open: Observation = { state: 'open', isExpired: false };
const expired: Observation = { state: 'open', isExpired: true };
const settled: Observation = { state: 'settled', transactionHash: '0x01' };
const other: Observation = { state: 'settled', transactionHash: '0x02' };

/** Observes on a chain whose nodes say this, in their order. */
async function observed(...said: Observation[]): Promise<{ seen: Observation; asked: number }> {
  const endpoints = said.map(() => ({
    getBlockNumber: async () => 100n,
  })) as unknown as EndpointClient[];
  const chain = {
    name: 'alphanet',
    definition: { confirmations: 3 },
    endpoints,
  } as unknown as Chain;
  const asked: EndpointClient[] = [];
  const seen = await witnessedObservation(chain, ({ node, number }) => {
    expect(number).toBe(98n);
    asked.push(node);
    const answer = said[endpoints.indexOf(node)];
    return answer === undefined
      ? Promise.reject(new Error('unknown node'))
      : Promise.resolve(answer);
  });
  return { seen, asked: asked.length };
}

describe('witnessedObservation', () => {
  it.each([settled, expired])('takes the word of the only node: %j', async (said) => {
    expect(await observed(said)).toEqual({ seen: said, asked: 1 });
  });

  it('asks one node while the withdrawal is open', async () => {
    expect(await observed(open, settled)).toEqual({ seen: open, asked: 1 });
  });

  it.each([settled, expired])('takes what two nodes say: %j', async (said) => {
    expect((await observed(said, said)).seen).toEqual(said);
    expect((await observed(said, open, said)).seen).toEqual(said);
  });

  it.each([
    ['open', open],
    ['settled by another transaction', other],
  ])('fails where the other node has it %s', async (_what, said) => {
    await expect(observed(settled, said)).rejects.toThrow('no second node of alphanet');
  });
});
