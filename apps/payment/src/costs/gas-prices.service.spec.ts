import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { ServiceContext } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import type { Address } from 'viem';
import type {
  AssetDirectoryRepository,
  TokenFacts,
} from '../projections/asset-directory.repository.js';
import { GasPricesService } from './gas-prices.service.js';

const GWEI = 10n ** 9n;
const TOKEN: Address = '0x00000000000000000000000000000000000000aa';
const NATIVE_FACTS: TokenFacts = {
  token: tokenIdentifier('alphanet', zeroAddress),
  decimals: 18,
  usdPrice: '3000',
};
const TOKEN_FACTS: TokenFacts = {
  token: tokenIdentifier('alphanet', TOKEN),
  decimals: 6,
  usdPrice: '2',
};

describe('the value of gas in a token', () => {
  const serviceOf = (known: TokenFacts[]) =>
    new GasPricesService(
      { describe: async () => known } as unknown as AssetDirectoryRepository,
      { logger: { warn: () => undefined } } as unknown as ServiceContext,
    );
  /** A chain whose nodes tell these gas prices, with the number of times that they were asked. */
  const chainOf = (...prices: (bigint | null)[]) => {
    const asked = { times: 0 };
    const endpoints = prices.map((price) => ({
      getGasPrice: async () => {
        asked.times += 1;
        if (price === null) throw new Error('down');
        return price;
      },
    }));
    const about = { name: 'alphanet', definition: { maxFeeGwei: 1_000 } };
    return { asked, chain: { ...about, endpoints } as unknown as Chain };
  };
  const valueOf = async (known: TokenFacts[], gasPrice: bigint | null, token: Address = TOKEN) =>
    (await serviceOf(known).valueIn(chainOf(gasPrice).chain, token))(100_000n);

  it('is that of the native currency it costs, rounded up', async () => {
    // 0.0001 of the native currency, 0.3 USD
    expect(await valueOf([NATIVE_FACTS, TOKEN_FACTS], GWEI)).toBe(150_000n);
    expect(await valueOf([NATIVE_FACTS, TOKEN_FACTS], GWEI + 1n)).toBe(150_001n);
    expect(await valueOf([NATIVE_FACTS], GWEI, zeroAddress)).toBe(10n ** 14n);
  });

  it('is by the lower price of two nodes: a high one alone decides nothing', async () => {
    const { chain } = chainOf(GWEI, 100n * GWEI);
    const valueIn = await serviceOf([NATIVE_FACTS, TOKEN_FACTS]).valueIn(chain, TOKEN);
    expect(valueIn(100_000n)).toBe(150_000n);
  });

  it('asks a node once for all legs that start together', async () => {
    const { asked, chain } = chainOf(GWEI);
    const service = serviceOf([NATIVE_FACTS, TOKEN_FACTS]);
    await Promise.all(Array.from({ length: 20 }, () => service.valueIn(chain, TOKEN)));
    expect(asked.times).toBe(1);
  });

  it.each<[string, TokenFacts[], bigint | null]>([
    ['the token has no price', [NATIVE_FACTS, { ...TOKEN_FACTS, usdPrice: null }], GWEI],
    ['the native currency has no price', [{ ...NATIVE_FACTS, usdPrice: null }, TOKEN_FACTS], GWEI],
    ['a token is unknown', [NATIVE_FACTS], GWEI],
    ['the chain tells no gas price', [NATIVE_FACTS, TOKEN_FACTS], null],
  ])('is nothing while %s', async (_, known, gasPrice) => {
    expect(await valueOf(known, gasPrice)).toBe(0n);
  });
});
