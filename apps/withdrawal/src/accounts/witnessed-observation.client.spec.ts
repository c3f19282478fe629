import type { Chain, EndpointClient, FinalBlock } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { witnessedObservation } from './witnessed-observation.client.js';
import type { Observation } from './withdrawal-account.js';

const open: Observation = { state: 'open', isExpired: false };
const expired: Observation = { state: 'open', isExpired: true };
const settled: Observation = { state: 'settled', transactionHash: '0x01' };
const other: Observation = { state: 'settled', transactionHash: '0x02' };

/** Observes on a chain whose nodes say this, in their order. */
async function observed(
  said: readonly (Observation | Error)[],
  isDoubted = false,
): Promise<{ seen: Observation; asked: number }> {
  const endpoints = said.map(() => ({
    getBlockNumber: async () => 100n,
  })) as unknown as EndpointClient[];
  const chain = {
    name: 'alphanet',
    definition: { confirmations: 3 },
    endpoints,
  } as unknown as Chain;
  const asked: EndpointClient[] = [];
  const observeAt = async ({ node, number }: FinalBlock) => {
    expect(number).toBe(98n);
    asked.push(node);
    const answer = said[endpoints.indexOf(node)] ?? new Error('unknown node');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const seen = await witnessedObservation(chain, observeAt, isDoubted);
  return { seen, asked: asked.length };
}

describe('witnessedObservation', () => {
  it.each([settled, expired, open])('takes the word of the only node: %j', async (said) => {
    expect(await observed([said], true)).toEqual({ seen: said, asked: 1 });
  });

  it('asks one node while the withdrawal is open', async () => {
    expect(await observed([open, settled])).toEqual({ seen: open, asked: 1 });
  });

  it.each([settled, expired])('takes what two nodes say: %j', async (said) => {
    expect((await observed([said, said])).seen).toEqual(said);
    expect((await observed([said, open, said])).seen).toEqual(said);
  });

  it.each<[string, Observation | Error]>([
    ['open', open],
    ['expired', expired],
    ['settled by another transaction', other],
    ['impossible', { state: 'impossible', reason: 'filled' }],
    ['nothing that can be read', new Error('log not found')],
  ])('is settled though the first of three says %s, where that is doubted', async (_, lie) => {
    expect((await observed([lie, settled, settled], true)).seen).toEqual(settled);
    await expect(observed([lie, settled], true)).rejects.toThrow();
  });

  it('is open though the first of three says that it is over', async () => {
    expect((await observed([settled, open, open])).seen).toEqual(open);
  });

  it('names the failure of the only node', async () => {
    await expect(observed([new Error('no such block')])).rejects.toThrow('no such block');
  });

  it.each([
    ['open', open],
    ['settled by another transaction', other],
  ])('fails where the other node has it %s', async (_what, said) => {
    await expect(observed([settled, said])).rejects.toThrow('endpoints of alphanet disagree');
  });
});
