import { describe, expect, it } from '@jest/globals';
import { chainDefinitions } from '@bascule/chain';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

const BOOKS: Record<string, string> = {
  ethereum: 'Ethereum',
  base: 'Base',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
  polygon: 'Polygon',
  avalanche: 'Avalanche',
  bsc: 'BNB',
};

/** The price feeds that Aave's address book knows on a chain: addresses by label, e.g. `ETH__USD`. */
function knownFeeds(book: string): Map<string, string> {
  const entry = createRequire(import.meta.url).resolve('@bgd-labs/aave-address-book');
  const source = readFileSync(join(entry, `../../src/Chainlink${book}.sol`), 'utf8');
  const constants = source.matchAll(/constant (\w+)\s*=\s*(0x[0-9a-fA-F]{40})/g);
  return new Map(
    [...constants].map(([, label = '', address = '']) => [label.toUpperCase(), address]),
  );
}

describe('the price feeds of main networks', () => {
  it.each(Object.entries(BOOKS))('match the address book by name on %s', (name, book) => {
    const { priceFeeds = {}, sequencerUptimeFeed } = chainDefinitions[name]?.contracts ?? {};
    const known = knownFeeds(book);
    expect(Object.keys(priceFeeds).length).toBeGreaterThan(5);
    for (const [pair, { address, description = pair }] of Object.entries(priceFeeds)) {
      const label = description.toUpperCase().replace(/\s*\/\s*/, '__');
      expect([pair, known.get(label)]).toEqual([pair, address]);
    }
    expect(known.get('L2_SEQUENCER_UPTIME_STATUS_FEED')).toBe(sequencerUptimeFeed);
  });
});
