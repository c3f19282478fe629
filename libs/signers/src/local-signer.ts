import type { Hex, TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Signer } from './signer.js';

/** Signs by a private key in the memory of this process. */
export function localSigner(privateKey: Hex): Signer {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    signDigest: (hash) => account.sign({ hash }),
    signTypedData: (data: TypedDataDefinition) => account.signTypedData(data),
  };
}
