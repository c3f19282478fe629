import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { PrivateKey } from '@bascule/identity';

const KEY_BYTES = 32;
const NAME_BYTES = 16;

/** Names visitors by a keyed hash, so that services count them without knowing their addresses. */
export class VisitorNames {
  private readonly key: KeyObject;

  constructor({ d }: PrivateKey) {
    const secret = Buffer.from(d, 'base64url');
    this.key = createSecretKey(
      Buffer.from(hkdfSync('sha256', secret, '', 'bascule visitor names', KEY_BYTES)),
    );
  }

  /** Differs between organisations for the same address block. */
  nameOf(orgId: string, block: string): string {
    const digest = createHmac('sha256', this.key).update(`${orgId}\n${block}`).digest();
    return digest.subarray(0, NAME_BYTES).toString('base64url');
  }
}
