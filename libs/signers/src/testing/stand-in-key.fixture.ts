import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import type { SignerOperation } from '../signer-error.js';

/** Answers of a service that is down, mistaken or hostile. */
export type Misbehaviour =
  | { readonly status: number; readonly code: string }
  | 'hangs'
  | 'hangs up'
  | 'answers without JSON'
  | 'signs with another key'
  | 'signs another digest'
  | 'answers with half a signature'
  | 'answers with zeros'
  | 'has a wrong checksum'
  | 'received another digest'
  | 'names another key'
  | 'has a key on another curve';

/** Request to a service, and how it misbehaves then. */
export interface KeyRequest {
  readonly operation: SignerOperation;
  readonly misbehaviour: Misbehaviour | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const { CURVE } = secp256k1;

/** A real key that signs whatever it is asked to, with low and high s in turn as services do. */
export class StandInKey {
  private signed = 0;

  constructor(private readonly privateKey: Uint8Array) {}

  /** SPKI, as in RFC 5480. */
  spki(): Buffer {
    const prefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');
    return Buffer.concat([prefix, this.point()]);
  }

  /** Uncompressed point. */
  point(): Buffer {
    return Buffer.from(secp256k1.getPublicKey(this.privateKey, false));
  }

  sign(digest: Uint8Array, form: 'der' | 'raw', misbehaviour: Misbehaviour | undefined): Buffer {
    const key = misbehaviour === 'signs with another key' ? randomBytes(32) : this.privateKey;
    const hash = misbehaviour === 'signs another digest' ? randomBytes(32) : digest;
    const { r, s } = secp256k1.sign(hash, key, { lowS: true, extraEntropy: true });
    this.signed += 1;
    const answered = new secp256k1.Signature(r, this.signed % 2 === 0 ? s : CURVE.n - s);
    const bytes = Buffer.from(
      form === 'der' ? answered.toDERRawBytes() : answered.toCompactRawBytes(),
    );
    if (misbehaviour === 'answers with half a signature') return bytes.subarray(0, 32);
    if (misbehaviour === 'answers with zeros') return Buffer.alloc(bytes.length);
    return bytes;
  }
}
