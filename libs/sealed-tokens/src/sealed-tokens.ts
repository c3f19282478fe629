import { Reloadable } from '@bascule/process';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { compress, decompress, MAX_INFLATED_BYTES } from './compression.js';
import { SealedTokenError } from './sealed-token-error.js';
import type { SealingKey } from './sealing-keys.js';

/** Purpose of a token; one kind is never accepted as another. An `answer` is stored and not given to a client. */
export type SealedTokenType = 'quote' | 'verification' | 'withdrawal' | 'answer';

export const MAX_TOKEN_LENGTH = 64 * 1024;

const maxLength = (typ: SealedTokenType): number =>
  typ === 'answer' ? MAX_INFLATED_BYTES : MAX_TOKEN_LENGTH;

interface Content {
  /** Milliseconds since the epoch. */
  expires: number;
  payload: unknown;
}

interface KeyRing {
  sealing: { kid: string; bytes: Uint8Array };
  opening: ReadonlyMap<string, Uint8Array>;
}

function ringOf(keys: readonly SealingKey[]): KeyRing {
  const [first] = keys;
  if (first === undefined) throw new Error('Sealed tokens need at least one key.');
  const bytes = Buffer.from(first.k, 'base64url');
  const opening = new Map(keys.map(({ kid, k }) => [kid, Buffer.from(k, 'base64url')]));
  return { sealing: { kid: first.kid, bytes }, opening };
}

/**
 * State that travels through the client: encrypted, authenticated, self-contained.
 * Any replica that holds the key opens it, so it survives restarts and, with the old keys listed after the new one, rotations.
 */
export class SealedTokens {
  private readonly ring: Reloadable<KeyRing>;

  constructor(keys: readonly SealingKey[] | Reloadable<readonly SealingKey[]>) {
    this.ring = Reloadable.of(keys).map(ringOf);
  }

  /** @throws SealedTokenError `too_large` when the token would exceed 64 KiB, an `answer` 2 MiB */
  async seal(typ: SealedTokenType, payload: unknown, expiresAt: Date): Promise<string> {
    const { sealing } = this.ring.current;
    const content: Content = { expires: expiresAt.getTime(), payload };
    // JWE has no compression any more (RFC 8725), and tokens of many quotes shrink to a fifth.
    const token = await new CompactEncrypt(await compress(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ, kid: sealing.kid })
      .encrypt(sealing.bytes);
    if (token.length > maxLength(typ)) {
      throw new SealedTokenError('too_large', 'The state does not fit into a token.');
    }
    return token;
  }

  /**
   * The payload as it was sealed; only this service's own keys can have made it, so its type is trusted.
   * @throws SealedTokenError `invalid` or `expired`
   */
  async open<T>(typ: SealedTokenType, token: string, now = new Date()): Promise<T> {
    const content = await this.decrypt(typ, token);
    if (content.expires <= now.getTime()) {
      throw new SealedTokenError('expired', 'The token has expired.');
    }
    return content.payload as T;
  }

  private async decrypt(typ: SealedTokenType, token: string): Promise<Content> {
    if (token.length > maxLength(typ)) throw invalid();
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(
        token,
        ({ kid }) => this.key(kid),
        {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        },
      );
      if (protectedHeader.typ !== typ) throw invalid();
      return JSON.parse(await decompress(plaintext)) as Content;
    } catch (cause) {
      throw invalid(cause);
    }
  }

  private key(kid: string | undefined): Uint8Array {
    const key = kid === undefined ? undefined : this.ring.current.opening.get(kid);
    if (key === undefined) throw invalid();
    return key;
  }
}

const invalid = (cause?: unknown): SealedTokenError =>
  new SealedTokenError('invalid', 'The token is not valid.', { cause });
