import { chainDefinitions } from '@bascule/chain';
import { isFiatCode, isTokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { imageUri } from './image-uri.js';
import { listedFiats, listedTokens } from './listed-assets.js';

/** Icons in use from the icon set. */
const ICONS_OF_THE_SET = ['eth', 'avax', 'bnb', 'matic', 'usdc', 'usdt', 'wbtc'];

const isMain = (chain: string): boolean => chainDefinitions[chain]?.isTestnet === false;
const wrappedId = (chain: string, contracts: { wrappedNative: string }): string =>
  `${chain}:${contracts.wrappedNative.toLowerCase()}`;
const tokens = Object.values(chainDefinitions).flatMap(listedTokens);

describe('the listed assets', () => {
  it('have lower-case identifiers, each once', () => {
    const ids = [...listedFiats(), ...tokens].map(({ id }) => id);
    expect(ids.filter((id) => id !== id.toLowerCase())).toEqual([]);
    expect(ids.filter((id) => !isTokenIdentifier(id) && !isFiatCode(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('hold every chain’s native currency under the address 0x', () => {
    for (const name of Object.keys(chainDefinitions)) {
      const native = tokens.find(({ id }) => id === `${name}:0x`);
      expect(native?.asset).toMatchObject({ chain: name, address: '0x', is_native: true });
    }
  });

  it('have one wrapped token of every native currency, with or without a token list', () => {
    for (const { name, contracts } of Object.values(chainDefinitions)) {
      const wrapped = tokens.filter(({ chain, wraps }) => chain === name && wraps !== undefined);
      expect(wrapped.map(({ id, wraps }) => [id, wraps])).toEqual([
        [wrappedId(name, contracts), `${name}:0x`],
      ]);
    }
  });

  it('have price feeds that exist on their chain', () => {
    for (const { chain, pair } of tokens.filter((token) => token.pair !== undefined)) {
      const feeds = chainDefinitions[chain]?.contracts.priceFeeds ?? {};
      expect(Object.keys(feeds)).toContain(pair);
    }
    const unpriced = tokens.filter(({ chain, pair }) => pair === undefined && isMain(chain));
    const wrapped = Object.values(chainDefinitions).map(({ name, contracts }) =>
      wrappedId(name, contracts),
    );
    expect(unpriced.filter(({ id, asset }) => asset.is_native || wrapped.includes(id))).toEqual([]);
  });

  it('never use the price feed of the asset that a bridged token represents', () => {
    const bridged = tokens.filter(({ asset }) => /\.e$|\.b$|^(BTCB|USDT0)$/.test(asset.symbol));
    expect(bridged.length).toBeGreaterThan(8);
    expect(new Set(bridged.map(({ pair }) => pair))).toEqual(new Set([undefined]));
  });

  it.each([
    ['polygon', ['POL', 'USDC', 'WPOL']],
    ['avalanche', ['AVAX', 'EURC', 'USDC', 'USDt', 'WAVAX']],
    ['bsc', ['BNB', 'Cake', 'FDUSD', 'WBNB']],
  ])('have feeds on the bridged chain %s only when issued there', (name, issued) => {
    const priced = tokens.filter(({ chain, pair }) => chain === name && pair !== undefined);
    expect(priced.map(({ asset }) => asset.symbol).sort()).toEqual(issued);
  });

  it('include the common payment tokens on every main network', () => {
    for (const { name } of Object.values(chainDefinitions).filter((chain) => !chain.isTestnet)) {
      const names = tokens
        .filter(({ chain }) => chain === name)
        .map(({ asset }) => asset.alias ?? asset.symbol.toUpperCase());
      expect(names).toEqual(expect.arrayContaining(['USDC', 'USDT']));
    }
  });

  it('have the decimals of their contracts where these are unusual', () => {
    const decimals = (id: string) => tokens.find((token) => token.id === id)?.asset.decimals;
    expect(decimals('bsc:0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d')).toBe(18);
    expect(decimals('base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913')).toBe(6);
  });

  it('have an image, and a CoinGecko id on main networks where one exists', () => {
    const shown = [...listedFiats(), ...tokens].map(({ asset }) => asset.image_url);
    expect(shown.filter((url) => !url.startsWith('https://') || url !== imageUri(url))).toEqual([]);
    const icons = shown.flatMap(
      (url) => /cryptocurrency-icons@[\d.]+\/.*\/(.*)\.svg$/.exec(url)?.[1] ?? [],
    );
    expect(icons.filter((icon) => !ICONS_OF_THE_SET.includes(icon))).toEqual([]);
    const usdc = tokens.find(({ chain, asset }) => chain === 'base' && asset.symbol === 'USDC');
    expect(usdc?.asset).toMatchObject({ coingecko_id: 'usd-coin', decimals: 6 });
    expect(tokens.find(({ id }) => id === 'bsc:0x')?.asset.coingecko_id).toBe('binancecoin');
  });

  it('include the currency of every country by ISO 4217', () => {
    const fiats = new Map(listedFiats().map(({ id, asset }) => [id, asset]));
    expect(fiats.size).toBeGreaterThan(150);
    expect(fiats.get('jpy')).toMatchObject({
      symbol: 'JPY',
      name: 'Yen',
      alias: 'Japanese Yen',
      sign: '¥',
      decimals: 0,
      issuer: 'Japan',
      image_url: expect.stringMatching(/jp\.svg$/),
    });
    expect(fiats.get('kwd')).toMatchObject({ decimals: 3 });
    expect(fiats.get('eur')).toMatchObject({ issuer: 'European Central Bank', sign: '€' });
    for (const none of ['xau', 'xts', 'bgn', 'ang', 'che']) expect(fiats.has(none)).toBe(false);
  });
});
