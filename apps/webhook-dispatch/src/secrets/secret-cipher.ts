import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface CipherKey {
  kid: string;
  /** 32 bytes, base64url. */
  k: string;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets at rest: AES-256-GCM, `kid.iv.ciphertext+tag`. The context (webhook and field) is authenticated, so
 * a ciphertext that is copied to another row does not decrypt there.
 */
export class SecretCipher {
  private readonly keys: Map<string, Buffer>;
  readonly newest: string;

  /** The first key encrypts; the others still decrypt. */
  constructor(keys: readonly CipherKey[]) {
    this.keys = new Map(keys.map(({ kid, k }) => [kid, Buffer.from(k, 'base64url')]));
    const [first] = keys;
    if (first === undefined) throw new Error('no key to encrypt with');
    this.newest = first.kid;
  }

  seal(plain: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key(this.newest), iv, {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const sealed = Buffer.concat([
      cipher.update(plain, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return [this.newest, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws when the ciphertext was altered, has another context, or its key is missing */
  open(sealed: string, context: string): string {
    const [body = '', iv = '', ...kid] = sealed.split('.').reverse();
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv(
      ALGORITHM,
      this.key(kid.reverse().join('.')),
      Buffer.from(iv, 'base64url'),
      { authTagLength: TAG_BYTES },
    );
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  }

  private key(kid: string): Buffer {
    const key = this.keys.get(kid);
    if (key === undefined) throw new Error(`key ${kid} not found`);
    return key;
  }
}
