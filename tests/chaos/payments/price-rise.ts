import { developmentAddresses } from '@bascule/solidity';
import { movePrices } from '../../../tools/first-payment/pool-price.js';
import type { FaucetChain } from '../client/faucet-chain.js';

const { usdc, wbtc, weth } = developmentAddresses;

/** Pools of every route to WBTC; no other scenario buys it. */
const POOLS = [
  { pair: [usdc, wbtc] as const, fee: 3000, amount: 300_000n * 10n ** 6n },
  { pair: [weth, wbtc] as const, fee: 3000, amount: 100n * 10n ** 18n },
];

/** Raises the price of WBTC once all payments that must fail are ordered, and restores it once they have failed. */
export class PriceRise {
  readonly chain: FaucetChain;
  readonly risen: Promise<void>;
  #toOrder: number;
  #toFail: number;
  #restore: Promise<() => Promise<void>> | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(chain: FaucetChain, payments: number) {
    this.chain = chain;
    this.#toOrder = payments;
    this.#toFail = payments;
    this.risen = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Waiters get the rejection; this prevents an unhandled one when no payment waits.
    this.risen.catch(() => undefined);
  }

  countOrder(): void {
    this.#toOrder -= 1;
    if (this.#toOrder > 0) return;
    this.#restore = movePrices(this.chain, POOLS);
    this.#restore.then(() => this.#resolve(), this.#reject);
  }

  countFailure(): void {
    this.#toFail -= 1;
    if (this.#toFail === 0) void this.restore();
  }

  async restore(): Promise<void> {
    const restore = await this.#restore;
    this.#restore = undefined;
    await restore?.();
  }
}
