import { describe, expect, it } from '@jest/globals';
import type { Chain, EndpointClient } from './chain.js';
import { secondedRefusal } from './chain-view.js';

type Said = 'yes' | 'no' | Error;

const nodeThatSays = (said: Said) =>
  ({
    readContract: () => (said instanceof Error ? Promise.reject(said) : Promise.resolve(said)),
  }) as unknown as EndpointClient;

/** Asks a chain whose nodes say this, in their order, something that `no` refuses. */
function ask(...said: Said[]): Promise<unknown> {
  const endpoints = said.map(nodeThatSays);
  const chain = {
    name: 'alphanet',
    anyNode: { client: endpoints[0] },
    endpoints,
  } as unknown as Chain;
  return secondedRefusal<unknown>(
    chain,
    ({ client }) => client.readContract({} as never),
    (answer) => answer === 'no',
  );
}

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
