import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';

const MAX_AGE_MS = 1_000;

/** Wei per unit of gas, as each chain asks now; one question at a time serves all requests. */
@Injectable()
export class GasPricesService {
  private readonly prices = new Map<string, { price: Promise<bigint>; askedAt: number }>();

  of(chain: Chain): Promise<bigint> {
    const known = this.prices.get(chain.name);
    if (known && Date.now() - known.askedAt < MAX_AGE_MS) return known.price;
    const price = chain.client.getGasPrice();
    this.prices.set(chain.name, { price, askedAt: Date.now() });
    price.catch(() => this.prices.delete(chain.name));
    return price;
  }
}
