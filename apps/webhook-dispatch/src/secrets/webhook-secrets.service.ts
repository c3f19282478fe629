import { Injectable } from '@nestjs/common';
import { signingKey, type SigningKey } from './signature.js';
import { SecretCipher } from './secret-cipher.js';
import { secretContext } from './secret-context.js';

const MAX_CACHED_KEYS = 10_000;

/** Decrypts signing secrets and auth headers of deliveries; a decrypted signing secret is cached as a key. */
@Injectable()
export class WebhookSecretsService {
  private readonly keys = new Map<string, SigningKey>();

  constructor(private readonly cipher: SecretCipher) {}

  /** @throws when the ciphertext was altered, is of another webhook, or its key is missing */
  signingKeys(webhookId: string, sealed: readonly string[]): SigningKey[] {
    return sealed.map((each) => this.keys.get(each) ?? this.openKey(webhookId, each));
  }

  /** @throws as above */
  authHeaderValue(webhookId: string, sealed: string): string {
    return this.cipher.open(sealed, secretContext(webhookId, 'auth_header'));
  }

  private openKey(webhookId: string, sealed: string): SigningKey {
    const key = signingKey(this.cipher.open(sealed, secretContext(webhookId, 'signing_secret')));
    const [oldest] = this.keys.keys();
    if (this.keys.size >= MAX_CACHED_KEYS && oldest !== undefined) this.keys.delete(oldest);
    this.keys.set(sealed, key);
    return key;
  }
}
