import type { Address, Hex, TypedDataDefinition } from 'viem';

/** Key that signs for one address, wherever it is kept. */
export interface Signer {
  readonly address: Address;
  /** Resolves once the key can sign, and never rejects; undefined where it was opened at start. */
  readonly opening?: Promise<void>;
  /**
   * @param digest 32 bytes
   * @returns 65 bytes r‖s‖v, canonical (low s)
   * @throws SignerUnavailableError when the same request can succeed later
   * @throws SignerRefusedError when it cannot
   */
  signDigest(digest: Hex): Promise<Hex>;
  signTypedData(data: TypedDataDefinition): Promise<Hex>;
}
