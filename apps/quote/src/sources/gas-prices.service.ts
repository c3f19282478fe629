import { gasPriceOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';

const MAX_AGE_MS = 1_000;

/** Gas prices in wei per unit of gas; one RPC request per chain serves all concurrent quotes. */
@Injectable()
export class GasPricesService {
  private readonly prices = new Map<string, { price: Promise<bigint>; fetchedAt: number }>();

  of(chain: Chain): Promise<bigint> {
    const cached = this.prices.get(chain.name);
    if (cached && Date.now() - cached.fetchedAt < MAX_AGE_MS) return cached.price;
    const price = gasPriceOf(chain);
    this.prices.set(chain.name, { price, fetchedAt: Date.now() });
    price.catch(() => this.prices.delete(chain.name));
    return price;
  }
}
