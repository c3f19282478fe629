import { hashTypedData, hexToBytes, isHex } from 'viem';
import type { Address, Hex, TypedDataDefinition } from 'viem';
import type { Signer } from '../signer.js';
import { canonicalSignature } from './canonical-signature.js';
import { addressOfKey } from './public-key.js';
import { RemoteCalls } from './remote-calls.js';
import type { CallOptions } from './remote-calls.js';
import type { RemoteKey } from './remote-key.js';

const DIGEST_BYTES = 32;

/** Signs by a key management service. The service is not trusted: every signature has to recover to the address. */
export class RemoteSigner implements Signer {
  private constructor(
    readonly address: Address,
    private readonly key: RemoteKey,
    private readonly calls: RemoteCalls,
  ) {}

  /** Reads the public key. @throws SignerUnavailableError | SignerRefusedError */
  static async open(key: RemoteKey, options: CallOptions): Promise<RemoteSigner> {
    const calls = new RemoteCalls(key, options);
    const address = await calls.run('public_key', async (signal) =>
      addressOfKey(await key.publicKey(signal)),
    );
    return new RemoteSigner(address, key, calls);
  }

  async signDigest(digest: Hex): Promise<Hex> {
    const bytes = digestBytes(digest);
    return this.calls.run('sign', async (signal) =>
      canonicalSignature(await this.key.sign(bytes, signal), digest, this.address),
    );
  }

  signTypedData(data: TypedDataDefinition): Promise<Hex> {
    return this.signDigest(hashTypedData(data));
  }
}

function digestBytes(digest: Hex): Uint8Array {
  const bytes = isHex(digest) ? hexToBytes(digest) : new Uint8Array();
  if (bytes.length !== DIGEST_BYTES) {
    throw new TypeError(`expected a digest of ${DIGEST_BYTES} bytes, found ${bytes.length}`);
  }
  return bytes;
}
