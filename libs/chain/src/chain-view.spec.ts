import { describe, expect, it } from '@jest/globals';
import type { Chain, EndpointClient } from './chain.js';
import { mostRefuse, secondedRefusal } from './chain-view.js';

type Said = 'yes' | 'no' | Error;

const nodeThatSays = (said: Said) =>
  ({
    readContract: () => (said instanceof Error ? Promise.reject(said) : Promise.resolve(said)),
  }) as unknown as EndpointClient;

/** A chain whose nodes say this, in their order. */
function chainThatSays(said: readonly Said[]): Chain {
  const endpoints = said.map(nodeThatSays);
  return { name: 'alphanet', anyNode: { client: endpoints[0] }, endpoints } as unknown as Chain;
}

/** Asks a chain whose nodes say this something that `no` refuses. */
const ask = (...said: Said[]): Promise<unknown> =>
  secondedRefusal<unknown>(
    chainThatSays(said),
    ({ client }) => client.readContract({} as never),
    (answer) => answer === 'no',
  );

const doMostRefuse = (...said: Said[]): Promise<boolean> =>
  mostRefuse(chainThatSays(said), async ({ client }) => {
    const answer: unknown = await client.readContract({} as never);
    return answer === 'no';
  });

describe('a refusal', () => {
  it('is that of two nodes, or the only one', async () => {
    expect(await ask('no')).toBe('no');
    expect(await ask('no', 'no')).toBe('no');
    expect(await ask('no', 'yes', 'yes')).toBe('yes');
    expect(await ask('yes', 'no', 'no')).toBe('yes');
    await expect(ask('no', 'yes')).rejects.toThrow('disagree');
  });

  it('is none of a node that refuses to be asked', async () => {
    const reverted = new Error('execution reverted');
    expect(await ask(reverted, 'yes', 'yes')).toBe('yes');
    expect(await ask(reverted, 'no', 'no')).toBe('no');
    await expect(ask(reverted)).rejects.toThrow(reverted);
  });
});

describe('a refusal of most nodes', () => {
  it('is that of two, or of the only one, and none of one that another contradicts', async () => {
    expect(await doMostRefuse('no')).toBe(true);
    expect(await doMostRefuse('no', 'no')).toBe(true);
    expect(await doMostRefuse('no', 'no', 'yes')).toBe(true);
    expect(await doMostRefuse('no', 'yes')).toBe(false);
    expect(await doMostRefuse('no', 'yes', 'yes')).toBe(false);
    expect(await doMostRefuse('yes', 'no')).toBe(false);
  });

  it('is not decided by the only one of several that answers', async () => {
    const away = new Error('away');
    await expect(doMostRefuse('no', away)).rejects.toThrow('too few');
    await expect(doMostRefuse(away, 'no')).rejects.toThrow('too few');
    await expect(doMostRefuse(away, away)).rejects.toThrow('answered');
    await expect(doMostRefuse(away)).rejects.toThrow(away);
    expect(await doMostRefuse(away, 'yes')).toBe(false);
  });
});
