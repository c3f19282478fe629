import { Chain, chainDefinitions } from '@bascule/chain';
import type { ChainView } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { agreedPairs } from './agreed-pairs.js';
import type { TokenPair, Venue } from './venue.js';

const [A, B]: [Address, Address] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const PAIR: TokenPair = [A, B];

type Conduct = 'has' | 'denies' | 'fails';

/** Pairs that are agreed among nodes of such a conduct. */
async function agreedAmong(...nodes: Conduct[]): Promise<TokenPair[]> {
  const definition = chainDefinitions['alphanet'];
  if (!definition) throw new Error('alphanet is not defined');
  const chain = new Chain({ definition, rpcUrls: nodes.map(() => 'http://127.0.0.1:9') });
  const venue: Pick<Venue, 'pairs'> = {
    async pairs({ client }: ChainView) {
      const conduct = nodes[chain.endpoints.findIndex((node) => node === client)];
      if (conduct === 'fails') throw new Error('no answer');
      return conduct === 'has' ? [PAIR] : [];
    },
  };
  return agreedPairs(venue, chain, [A, B]);
}

describe('agreedPairs', () => {
  it('lists what the only node has, and nothing else', async () => {
    expect(await agreedAmong('has')).toEqual([PAIR]);
    expect(await agreedAmong('denies')).toEqual([]);
  });

  it('lists a pair that one of two or three denies', async () => {
    expect(await agreedAmong('denies', 'has', 'has')).toEqual([PAIR]);
    expect(await agreedAmong('denies', 'has')).toEqual([PAIR]);
  });

  it('lists no pair that two of three deny', async () => {
    expect(await agreedAmong('has', 'denies', 'denies')).toEqual([]);
  });

  it('lists a pair while one of two does not answer', async () => {
    expect(await agreedAmong('fails', 'has')).toEqual([PAIR]);
  });
});
