import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Address, Hex } from 'viem';

export interface SignerConfig {
  privateKey: Hex;
}

/** Keys of this service, one for each chain. */
export class Signers {
  private readonly accounts: ReadonlyMap<string, PrivateKeyAccount>;

  constructor(signers: Readonly<Record<string, SignerConfig>>) {
    this.accounts = new Map(
      Object.entries(signers).map(([chain, { privateKey }]) => [
        chain,
        privateKeyToAccount(privateKey),
      ]),
    );
  }

  /** @throws when the chain has no signer */
  get(chain: string): PrivateKeyAccount {
    const account = this.accounts.get(chain);
    if (!account) throw new Error(`no signer is configured for ${chain}`);
    return account;
  }

  /** Returns the account of an earlier signer's address; null after its key was rotated. */
  find(chain: string, address: Address): PrivateKeyAccount | null {
    const account = this.accounts.get(chain);
    return account?.address.toLowerCase() === address.toLowerCase() ? account : null;
  }
}
