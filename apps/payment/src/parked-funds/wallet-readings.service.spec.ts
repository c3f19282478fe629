import type { Chains } from '@bascule/chain';
import { parseTokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import type { ServiceContext } from '@bascule/process';
import type { TokenBalancesClient } from '@bascule/wallet-balances';
import { describe, expect, it, jest } from '@jest/globals';
import type { PaymentConfig } from '../config/payment.config.js';
import type { ScanCursorRepository } from '../deposits/scan-cursor.repository.js';
import type { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { aPolicy } from '../testing/a-payment.fixture.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { WalletReadingsService } from './wallet-readings.service.js';

const WALLETS = [
  '0x00000000000000000000000000000000000000a1',
  '0x00000000000000000000000000000000000000a2',
] as const;

describe('WalletReadingsService.read', () => {
  /** One chain whose node answers null for the balance of this token. */
  const reading = async (unread: TokenIdentifier | null) => {
    const chain = {
      name: 'alphanet',
      definition: { nativeCurrency: { decimals: 18 }, maxFeeGwei: 1 },
      endpoints: [{ getGasPrice: () => Promise.resolve(1n) }],
    };
    const listed = [USDC, WETH].map((token) => ({ token, decimals: 6, usdPrice: '1' }));
    const warn = jest.fn();
    const service = new WalletReadingsService(
      { all: () => [chain] } as unknown as Chains,
      {
        finalBlocks: () => Promise.resolve(new Map([['alphanet', 9n]])),
      } as unknown as ScanCursorRepository,
      { listedOn: () => Promise.resolve(listed) } as unknown as AssetDirectoryRepository,
      {
        readFinal: (_: unknown, queries: readonly { token: string }[]) =>
          Promise.resolve(
            queries.map(({ token }) =>
              unread !== null && token === parseTokenIdentifier(unread).address ? null : 0n,
            ),
          ),
      } as unknown as TokenBalancesClient,
      { logger: { warn } } as unknown as ServiceContext,
      { policy: aPolicy } as PaymentConfig,
    );
    const { wallets, unreadChains } = await service.read(await service.plan(), WALLETS);
    expect(unreadChains).toEqual([]);
    return { warn, partial: wallets.map(([found]) => found?.isPartial) };
  };

  it('names a token that it could not read to the operator, once for all wallets', async () => {
    const { warn, partial } = await reading(WETH);
    expect(partial).toEqual([true, true]);
    expect(warn.mock.calls).toEqual([[{ chain: 'alphanet', tokens: [WETH] }, expect.any(String)]]);
  });

  it('warns of nothing where it could read all tokens', async () => {
    const { warn, partial } = await reading(null);
    expect(partial).toEqual([false, false]);
    expect(warn).not.toHaveBeenCalled();
  });
});
