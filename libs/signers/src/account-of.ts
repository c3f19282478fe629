import { hashMessage, hashTypedData, keccak256, parseSignature, serializeTransaction } from 'viem';
import type { Hex, LocalAccount, TypedData, TypedDataDefinition } from 'viem';
import { toAccount } from 'viem/accounts';
import type { Signer } from './signer.js';

/** Makes a viem account that signs by the signer. */
export const accountOf = (signer: Signer): LocalAccount =>
  toAccount({
    address: signer.address,
    sign: ({ hash }) => signer.signDigest(hash),
    signMessage: ({ message }) => signer.signDigest(hashMessage(message)),
    signTypedData: <
      const T extends TypedData | Record<string, unknown>,
      P extends keyof T | 'EIP712Domain',
    >(
      data: TypedDataDefinition<T, P>,
    ): Promise<Hex> => signer.signDigest(hashTypedData(data)),
    signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
      // The hash of a blob transaction is over its payload without the blobs.
      const payload =
        transaction.type === 'eip4844' ? { ...transaction, sidecars: false as const } : transaction;
      const signature = await signer.signDigest(keccak256(await serializer(payload)));
      return await serializer(transaction, parseSignature(signature));
    },
  });
