import { Injectable } from '@nestjs/common';
import type { LocalAccount } from 'viem';
import { Signers } from './signers.js';
import { Signing } from './signing.js';
import { waitingBySigner } from './transaction-store.js';
import type { Queryable } from './transaction-store.js';

/** Orders the keys of a chain for a new transaction. */
@Injectable()
export class KeyChoice {
  private turn = 0;

  constructor(
    private readonly signers: Signers,
    private readonly signing: Signing,
  ) {}

  /**
   * Returns keys that sign first, and of these the one with the fewest waiting transactions; equal ones take turns. A key
   * that could not be opened yet is left out.
   * @throws UnsignedError when no key is left
   */
  async byPreference(db: Queryable, chain: string): Promise<readonly LocalAccount[]> {
    const active = this.signers.active(chain);
    const keys = active.filter(({ address }) => this.signing.isOpen(address));
    if (keys.length === 0) this.signing.requireOpen(active[0].address);
    if (keys.length === 1) return keys;
    const addresses = keys.map(({ address }) => address);
    const waiting = await waitingBySigner(db, chain, addresses);
    this.turn = (this.turn + 1) % keys.length;
    const ranked = [...keys.slice(this.turn), ...keys.slice(0, this.turn)].map((key) => ({
      key,
      isAway: this.signing.isAvailable(key.address) ? 0 : 1,
      waiting: waiting.get(key.address) ?? 0,
    }));
    ranked.sort((one, other) => one.isAway - other.isAway || one.waiting - other.waiting);
    return ranked.map(({ key }) => key);
  }
}
