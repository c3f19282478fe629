import { describe, expect, it } from '@jest/globals';
import { chainDefinitions, type ChainContracts } from '@bascule/chain';
import { readFileSync } from 'node:fs';
import * as known from 'viem/chains';
import { foreignContracts, venuesOf } from './contracts-of.js';
import { mainNetworks } from './document.js';
import { formattedDocument, NETWORKS_FILE } from './networks-file.js';
import { VENUE_SOURCES } from './sources.js';

const MAIN = ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'avalanche', 'bsc'];
const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45';
const base = chainDefinitions['base']?.contracts;

const contractsWith = (others: object): ChainContracts => {
  if (base === undefined) throw new Error('expected the chain base');
  return { ...base, ...others };
};

describe('docs/networks.md', () => {
  it('is what the definitions give: `npm run networks`', async () => {
    expect(readFileSync(NETWORKS_FILE, 'utf8')).toBe(await formattedDocument());
  });

  it('covers the main networks', () => {
    expect(mainNetworks.map(({ name }) => name)).toEqual(expect.arrayContaining(MAIN));
  });

  it('names a source for each venue', () => {
    const keys = mainNetworks.flatMap(({ contracts }) => venuesOf(contracts).map(({ key }) => key));
    expect(keys.filter((key) => VENUE_SOURCES[key] === undefined)).toEqual([]);
  });

  it.each(MAIN)('has the block time of viem for %s', (name) => {
    const chain = mainNetworks.find((each) => each.name === name);
    const viemChain = Object.values(known).find((each) => each.id === chain?.chainId);
    expect(chain?.blockTimeMs).toBe(viemChain?.blockTime);
  });
});

describe('the venues of a chain', () => {
  it('are whatever its definition names beside our contracts, the feeds and the base contracts', () => {
    const venues = venuesOf(contractsWith({ uniswapV9: { router: ROUTER, tiers: [1] } }));
    expect(venues.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['uniswapV3', 'uniswapV9']),
    );
    expect(venues.find(({ key }) => key === 'uniswapV9')).toEqual({
      key: 'uniswapV9',
      label: 'Uniswap V9',
      contracts: [{ name: 'Uniswap V9 router', address: ROUTER }],
    });
  });

  it('contain each aggregator by its name', () => {
    const venues = venuesOf(contractsWith({ aggregators: { 'zero-x': ROUTER } }));
    expect(venues.find(({ key }) => key === 'zero-x')).toEqual({
      key: 'zero-x',
      label: '0x',
      contracts: [{ name: '0x', address: ROUTER }],
    });
  });

  it('are among the contracts whose code is compared with the nodes', () => {
    const contracts = contractsWith({ uniswapV9: { router: ROUTER } });
    expect(foreignContracts({ contracts })).toContainEqual({
      name: 'Uniswap V9 router',
      address: ROUTER,
    });
  });
});
