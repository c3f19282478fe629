import type { Address, LocalAccount } from 'viem';

/** Keys of a service on one chain. */
export interface SignerConfig {
  /** Keys that sign new transactions. */
  keys: readonly LocalAccount[];
  /** Keys that only replace and cancel what they have signed, and sign what was reserved for them. */
  retired?: readonly LocalAccount[];
  /** Keys that could not be opened at start, by address; resolves once they sign. */
  unopened?: ReadonlyMap<Address, Promise<void>>;
}

/** Keys of this service on each chain. */
export class Signers {
  constructor(private readonly signers: Readonly<Record<string, SignerConfig>>) {}

  /** Returns the keys for new transactions, at least one. @throws when the chain has none */
  active(chain: string): readonly [LocalAccount, ...LocalAccount[]] {
    const [first, ...others] = this.signers[chain]?.keys ?? [];
    if (!first) throw new Error(`no signer is configured for ${chain}`);
    return [first, ...others];
  }

  /** Returns the keys that could not be opened at start, each with the promise that resolves once it signs. */
  unopened(): ReadonlyMap<Address, Promise<void>> {
    return new Map(Object.values(this.signers).flatMap(({ unopened = [] }) => [...unopened]));
  }

  /** Returns the account of an address, retired or not; null where its key is not configured. */
  find(chain: string, address: Address): LocalAccount | null {
    const { keys = [], retired = [] } = this.signers[chain] ?? {};
    const wanted = address.toLowerCase();
    return [...keys, ...retired].find((key) => key.address.toLowerCase() === wanted) ?? null;
  }
}
