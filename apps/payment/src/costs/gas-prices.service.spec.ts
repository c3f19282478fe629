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
  const valueOf = async (known: TokenFacts[], gasPrice: bigint | null, token: Address = TOKEN) => {
    const getGasPrice = () =>
      gasPrice === null ? Promise.reject(new Error('down')) : Promise.resolve(gasPrice);
    const chain = {
      ...{ name: 'alphanet', definition: { maxFeeGwei: 1_000 } },
      endpoints: [{ getGasPrice }],
    } as unknown as Chain;
    const service = new GasPricesService(
      { describe: async () => known } as unknown as AssetDirectoryRepository,
      { logger: { warn: () => undefined } } as unknown as ServiceContext,
    );
    return (await service.valueIn(chain, token))(100_000n);
  };

  it('is that of the native currency it costs, rounded up', async () => {
    // 0.0001 of the native currency, 0.3 USD
    expect(await valueOf([NATIVE_FACTS, TOKEN_FACTS], GWEI)).toBe(150_000n);
    expect(await valueOf([NATIVE_FACTS, TOKEN_FACTS], GWEI + 1n)).toBe(150_001n);
    expect(await valueOf([NATIVE_FACTS], GWEI, zeroAddress)).toBe(10n ** 14n);
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
