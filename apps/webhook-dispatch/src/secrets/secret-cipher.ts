import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface CipherKey {
  kid: string;
  /** 32 bytes, base64url. */
  k: string;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys that may be replaced while the service runs. */
export interface CipherKeys {
  readonly current: readonly CipherKey[];
}

interface KeyRing {
  source: readonly CipherKey[];
  newest: string;
  keys: ReadonlyMap<string, Buffer>;
}

function ringOf(keys: readonly CipherKey[]): KeyRing {
  const [first] = keys;
  if (first === undefined) throw new Error('no key to encrypt with');
  return {
    source: keys,
    newest: first.kid,
    keys: new Map(keys.map(({ kid, k }) => [kid, Buffer.from(k, 'base64url')])),
  };
}

/**
 * Encrypts secrets at rest: AES-256-GCM, `kid.iv.ciphertext+tag`. The context (webhook and field) is authenticated, so
 * a ciphertext that is copied to another row does not decrypt there.
 */
export class SecretCipher {
  private readonly keys: CipherKeys;
  private known: KeyRing;

  /** The first key encrypts; the others still decrypt. */
  constructor(keys: readonly CipherKey[] | CipherKeys) {
    this.keys = 'current' in keys ? keys : { current: keys };
    this.known = ringOf(this.keys.current);
  }

  /** Name of the key that encrypts. */
  get newest(): string {
    return this.ring.newest;
  }

  /** Names of the other keys. */
  get older(): readonly string[] {
    const { keys, newest } = this.ring;
    return [...keys.keys()].filter((kid) => kid !== newest);
  }

  seal(plain: string, context: string): string {
    const { newest } = this;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key(newest), iv, {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const sealed = Buffer.concat([
      cipher.update(plain, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return [newest, iv.toString('base64url'), sealed.toString('base64url')].join('.');
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

  private get ring(): KeyRing {
    const { current } = this.keys;
    if (current !== this.known.source) this.known = ringOf(current);
    return this.known;
  }

  private key(kid: string): Buffer {
    const key = this.ring.keys.get(kid);
    if (key === undefined) throw new Error(`key ${kid} not found`);
    return key;
  }
}
