import { describe, expect, it } from '@jest/globals';
import { chainDefinitions } from '@bascule/chain';
import { readFileSync } from 'node:fs';
import { getAddress } from 'viem';

const { curated } = (await import(`${import.meta.dirname}/curated.mjs`)) as {
  curated: Record<string, Record<string, object>>;
};
const { generatedFiles } = (await import(`${import.meta.dirname}/files.mjs`)) as {
  generatedFiles: (chainIds: Record<string, number>) => Promise<[path: string, text: string][]>;
};

const chainIds = Object.fromEntries(
  Object.values(chainDefinitions).map(({ name, chainId }) => [name, chainId]),
);

describe('the lists of fiat currencies and tokens', () => {
  it('are what the packages and our choice among them give: `npm run tokens`', async () => {
    const files = await generatedFiles(chainIds);
    expect(files.length).toBe(Object.keys(curated).length + 2);
    for (const [path, text] of files)
      expect([path, readFileSync(path, 'utf8')]).toEqual([path, text]);
  });

  it('choose tokens by addresses with their checksums', () => {
    const addresses = Object.values(curated).flatMap((tokens) => Object.keys(tokens));
    expect(addresses.filter((address) => getAddress(address) !== address)).toEqual([]);
  });
});
