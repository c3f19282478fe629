import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { zeroAddress } from 'viem';
import { GasPrices } from '../conversions/gas-prices.service.js';
import type { TokenAmount } from '../plan/quoted-route.js';
import type { PriceBook } from '../prices/price-book.js';
import { SilentChainFailure } from '../quotes/route-failure.js';
import { networkFee } from './network-fee.js';

/** What gas costs now, in the token that pays for it. */
@Injectable()
export class NetworkFees {
  constructor(private readonly gasPrices: GasPrices) {}

  /** @throws RouteFailure, MissingPriceError */
  async of(
    chain: Chain,
    gas: bigint,
    { asset, decimals }: TokenAmount,
    prices: PriceBook,
  ): Promise<bigint> {
    const gasPrice = await this.gasPrices.of(chain).catch((cause: unknown) => {
      const message = `The gas price of ${chain.name} is unknown.`;
      throw new SilentChainFailure([chain.name], [{ kind: 'other', message }], { cause });
    });
    return networkFee({
      gas,
      gasPrice,
      native: {
        id: tokenIdentifier(chain.name, zeroAddress),
        decimals: chain.definition.nativeCurrency.decimals,
      },
      token: { id: asset, decimals },
      prices,
    });
  }
}
