import { Injectable } from '@nestjs/common';
import { signingKey, type SigningKey } from './signature.js';
import { SecretCipher } from './secret-cipher.js';
import { secretContext } from './secret-context.js';

const MOST_KEPT = 10_000;

/** Opens what deliveries are signed with and authenticated by; opened once, a signing secret is kept as a key. */
@Injectable()
export class WebhookSecretsService {
  private readonly keys = new Map<string, SigningKey>();

  constructor(private readonly cipher: SecretCipher) {}

  /** @throws when it was altered, is of another webhook, or its key is no longer held */
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
    if (this.keys.size >= MOST_KEPT && oldest !== undefined) this.keys.delete(oldest);
    this.keys.set(sealed, key);
    return key;
  }
}
