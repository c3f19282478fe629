import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts access tokens at rest: AES-256-GCM, `iv.ciphertext+tag`. The key is derived from the API secret that gets the
 * tokens, so whoever can decrypt one could have got it. A ciphertext of another provider does not decrypt.
 */
export class TokenCipher {
  private readonly key: Buffer;
  private readonly context: Buffer;

  constructor(provider: string, apiSecret: string) {
    this.key = Buffer.from(
      hkdfSync('sha256', apiSecret, '', 'bascule access tokens at rest', KEY_BYTES),
    );
    this.context = Buffer.from(provider, 'utf8');
  }

  seal(token: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(this.context);
    const sealed = [cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${iv.toString('base64url')}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /** Undefined where the token was sealed with another API secret, or altered. */
  open(sealed: string): string | undefined {
    const [iv = '', body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv(ALGORITHM, this.key, Buffer.from(iv, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(this.context);
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const plain = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(plain).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
