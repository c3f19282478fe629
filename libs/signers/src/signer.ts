import type { Address, Hex, TypedDataDefinition } from 'viem';

/** Key that signs for one address, wherever it is kept. */
export interface Signer {
  readonly address: Address;
  /**
   * @param digest 32 bytes
   * @returns 65 bytes r‖s‖v, canonical (low s)
   * @throws SignerUnavailableError when the same request can succeed later
   * @throws SignerRefusedError when it cannot
   */
  signDigest(digest: Hex): Promise<Hex>;
  signTypedData(data: TypedDataDefinition): Promise<Hex>;
}
