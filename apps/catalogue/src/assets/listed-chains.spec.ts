import { parseChainsConfig } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { toPublicChain } from './listed-chains.js';

const PUBLIC = 'http://127.0.0.1:18545';
const { chains } = parseChainsConfig({
  CHAINS: 'alphanet',
  RPC_URLS_ALPHANET: 'http://node.internal/key',
  PUBLIC_RPC_ALPHANET: PUBLIC,
});

describe('a listed chain', () => {
  it('shows only the public endpoint of the deployment', () => {
    const [listed] = chains.map(({ definition }) => toPublicChain(definition));
    expect(listed).toMatchObject({ rpc: PUBLIC, explorer: `${PUBLIC}/` });
    expect(JSON.stringify(listed)).not.toContain('node.internal');
  });

  it.each([
    'https://explorer.example',
    'https://explorer.example/',
    'https://explorer.example//',
    'https://explorer.example?chain=1#top',
  ])('shows its explorer %s with one slash at the end', (explorer) => {
    const [listed] = chains.map(({ definition }) => toPublicChain({ ...definition, explorer }));
    expect(listed).toMatchObject({ rpc: PUBLIC, explorer: 'https://explorer.example/' });
  });
});
