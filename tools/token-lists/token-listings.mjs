import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { basicCoins, wrappedTokens } from '@lifi/data-types';
import { curated } from './curated.mjs';

// Not among what the package exports, but part of it.
const entry = createRequire(import.meta.url).resolve('@bgd-labs/aave-address-book');
const aave = JSON.parse(readFileSync(join(entry, '../../tokenlist.json'), 'utf8'));

/** LI.FI's data on the tokens of a chain, by lower-case address. */
function lifiTokens(chainId) {
  const coins = basicCoins.flatMap(({ key, name, logoURI, chains }) => {
    const token = chains[chainId];
    return token === undefined ? [] : [{ symbol: key, name, logoURI, ...token }];
  });
  const wrapped = Object.values(wrappedTokens).filter((token) => token.chainId === chainId);
  return new Map([...wrapped, ...coins].map((token) => [token.address.toLowerCase(), token]));
}

/** Aave's address book on the tokens that its markets accept. */
const aaveTokens = (chainId) =>
  new Map(
    aave.tokens
      .filter((token) => token.chainId === chainId && token.tags.includes('underlying'))
      .map((token) => [token.address.toLowerCase(), token]),
  );

/**
 * The curated tokens of a chain as the packages describe them: names as their contracts have them (Aave's), else as
 * LI.FI calls them.
 */
function listingsOf(chain, chainId) {
  const [lifi, markets] = [lifiTokens(chainId), aaveTokens(chainId)];
  return Object.entries(curated[chain] ?? {}).map(([address, own]) => {
    const sources = [
      markets.get(address.toLowerCase()),
      lifi.get(address.toLowerCase()),
      own.facts,
    ];
    const known = sources.filter((source) => source !== undefined);
    if (known.length === 0) throw new Error(`no package lists ${address} of ${chain}`);
    if (new Set(known.map(({ decimals }) => decimals)).size > 1) {
      throw new Error(`the packages do not agree about the decimals of ${address} of ${chain}`);
    }
    const [best] = known;
    const imageUrl = lifi.get(address.toLowerCase())?.logoURI ?? best.logoURI;
    return {
      address,
      name: own.name ?? best.name,
      symbol: own.symbol ?? best.symbol,
      decimals: best.decimals,
      ...(own.alias && { alias: own.alias }),
      ...(own.pair && { pair: own.pair }),
      ...(own.coingeckoId && { coingeckoId: own.coingeckoId }),
      ...(imageUrl && { imageUrl }),
    };
  });
}

/** By chain, those only that have any. */
export const tokenListings = (chainIds) =>
  Object.fromEntries(
    Object.keys(curated).map((chain) => {
      const chainId = chainIds[chain];
      if (chainId === undefined) throw new Error(`missing chain ${chain}`);
      return [chain, listingsOf(chain, chainId)];
    }),
  );
