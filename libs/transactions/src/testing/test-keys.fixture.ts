import { keccak256, serializeTransaction } from 'viem';
import type { Hex, LocalAccount } from 'viem';
import { sign, toAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';

type Key = PrivateKeyAccount & { privateKey: Hex };

/** A key in a service of its own, which a test makes slow, unavailable or wrong. */
export class RemoteKey {
  readonly account: LocalAccount;
  /** Signatures that were asked for. */
  asked = 0;
  private before: () => Promise<unknown> = () => Promise.resolve();
  private by: Key;

  constructor(private readonly key: Key) {
    this.by = key;
    this.account = toAccount({
      address: key.address,
      signMessage: (message) => key.signMessage(message),
      signTypedData: (data) => key.signTypedData(data),
      signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
        this.asked += 1;
        await this.before();
        const hash = keccak256(await serializer(transaction));
        return serializer(transaction, await this.sign(hash));
      },
    });
  }

  /** Waits for this before each signature. */
  waitFor(before: () => Promise<unknown>): void {
    this.before = before;
  }

  hang(): void {
    this.waitFor(() => new Promise(() => undefined));
  }

  fail(): void {
    this.waitFor(() => Promise.reject(new Error('the key service is unavailable')));
  }

  /** Signs with another key than it says. */
  lie(other: Key): void {
    this.by = other;
  }

  recover(): void {
    this.by = this.key;
    this.waitFor(() => Promise.resolve());
  }

  private sign(hash: Hex) {
    return sign({ hash, privateKey: this.by.privateKey });
  }
}
