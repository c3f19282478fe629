import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { zeroAddress } from 'viem';
import { GasPricesService } from '../sources/conversions/gas-prices.service.js';
import type { TokenAmount } from '../routes/quoted-route.js';
import type { PriceBook } from '../routes/price-book.js';
import { SilentChainFailure } from '../routes/route-failure.js';
import { networkFee } from './network-fee.js';

/** What gas costs now, in the token that pays for it. */
@Injectable()
export class NetworkFeesService {
  constructor(private readonly gasPrices: GasPricesService) {}

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
