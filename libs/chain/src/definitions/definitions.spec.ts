import { describe, expect, it } from '@jest/globals';
import { contractAddresses } from '@bascule/solidity';
import { readdirSync } from 'node:fs';
import { getAddress } from 'viem';
import * as known from 'viem/chains';
import type { ChainDefinition } from './chain-definition.js';
import { chainDefinitions, developmentChains } from './index.js';

const MAIN = ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'avalanche', 'bsc'];
const TEST = [
  'sepolia',
  'basesepolia',
  'arbitrumsepolia',
  'optimismsepolia',
  'polygonamoy',
  'avalanchefuji',
  'bsctestnet',
];

/** Files of the folder that are no chains. */
const NO_CHAINS = /^(index|chain-definition|.*-contracts)\.ts$|\.spec\.ts$/;

const all = Object.values(chainDefinitions);
const publicChains = all.filter((chain) => !developmentChains.includes(chain));
const cases = publicChains.map((chain) => [chain.name, chain] as const);

const viemChains = new Map(
  Object.values(known)
    .filter((value) => 'id' in value)
    .map((chain) => [chain.id as number, chain] as const),
);

/** Lists every address of a definition, price feeds included. */
const addressesOf = ({ contracts }: ChainDefinition): string[] =>
  JSON.stringify(contracts).match(/0x[0-9a-fA-F]{40}\b/g) ?? [];

describe('the definitions of chains', () => {
  it('cover the development chains and the main and test networks', () => {
    const named = (isTestnet: boolean) =>
      publicChains.filter((chain) => chain.isTestnet === isTestnet).map(({ name }) => name);
    expect(named(false)).toEqual(expect.arrayContaining(MAIN));
    expect(named(true)).toEqual(expect.arrayContaining(TEST));
  });

  it('are all in the index', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => !NO_CHAINS.test(file));
    expect(files.map((file) => file.replace('.ts', '')).sort()).toEqual(
      Object.keys(chainDefinitions).sort(),
    );
  });

  it('have unique names of letters only and unique chain ids', () => {
    expect(all.filter(({ name }) => !/^[a-z]+$/.test(name))).toEqual([]);
    expect(new Set(all.map(({ chainId }) => chainId)).size).toBe(all.length);
  });

  it('have an image that is a valid URI', () => {
    const images = all.map(({ image }) => image);
    expect(images.filter((image) => !/^[a-z]+:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(image))).toEqual(
      [],
    );
  });

  it.each(cases)('match the definition of %s in viem', (_, definition) => {
    const chain = viemChains.get(definition.chainId);
    expect(chain).toBeDefined();
    expect({
      network: definition.network,
      nativeCurrency: definition.nativeCurrency,
      explorer: definition.explorer,
      isTestnet: definition.isTestnet,
      multicall3: definition.contracts.multicall3.toLowerCase(),
    }).toEqual({
      network: chain?.name,
      nativeCurrency: chain?.nativeCurrency,
      explorer: chain?.blockExplorers?.default.url,
      isTestnet: chain?.testnet ?? false,
      multicall3: (
        chain?.contracts as { multicall3?: { address: string } }
      ).multicall3?.address.toLowerCase(),
    });
  });

  it.each(cases)('have valid addresses, links and confirmations for %s', (_, definition) => {
    const addresses = addressesOf(definition);
    expect(addresses).toEqual(expect.arrayContaining(Object.values(contractAddresses)));
    expect(addresses.filter((address) => getAddress(address) !== address)).toEqual([]);
    expect(definition.publicRpc).toMatch(/^https:\/\/[a-z0-9.-]+(\/[a-zA-Z/]*)?$/);
    expect(definition.image).toMatch(/^https:\/\/.*\.svg$/);
    const native = `${definition.nativeCurrency.symbol.toLowerCase()}/usd`;
    expect(Object.keys(definition.contracts.priceFeeds ?? {})).toContain(native);
    expect(definition.confirmations).toBeGreaterThan(1);
    expect(definition.blockTimeMs).toBeGreaterThan(0);
  });

  it.each(cases.filter(([, { isTestnet }]) => !isTestnet))(
    'have feeds, venues and market-data identifiers for %s',
    (_, { contracts, coingeckoPlatform, nativeCoingeckoId }) => {
      expect(Object.keys(contracts.priceFeeds ?? {})).toEqual(
        expect.arrayContaining(['eth/usd', 'btc/usd', 'usdc/usd', 'usdt/usd']),
      );
      expect(contracts.uniswapV3?.feeTiers).toContain(500);
      expect(contracts.uniswapV4?.pools).toContainEqual({ fee: 500, tickSpacing: 10 });
      expect(contracts.uniswapV2?.fee).toBe(3000);
      for (const venue of [contracts.uniswapV2, contracts.uniswapV3, contracts.uniswapV4]) {
        expect(venue?.intermediateTokens.length).toBeGreaterThan(0);
      }
      expect(coingeckoPlatform).toMatch(/^[a-z-]+$/);
      expect(nativeCoingeckoId).toMatch(/^[a-z0-9-]+$/);
    },
  );

  it('have a sequencer uptime feed for each rollup', () => {
    const rollups = publicChains.filter(({ contracts }) => contracts.sequencerUptimeFeed);
    expect(rollups.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['base', 'arbitrum', 'optimism']),
    );
  });
});
