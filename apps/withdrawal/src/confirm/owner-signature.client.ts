import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  isErc6492Signature,
  parseAbi,
  recoverAddress,
} from 'viem';
import type { Address, Hex } from 'viem';
import { ChainUnreadableError } from '../chain/chain-unreadable-error.js';

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
const MAGIC_VALUE = '0x1626ba7e';

/** Verifies signatures in the wallet contract's order: ECDSA first, since an EIP-7702 account has code and still signs. */
@Injectable()
export class OwnerSignatureClient {
  async isValid(chain: Chain, owner: Address, digest: Hex, signature: Hex): Promise<boolean> {
    if (await isEcdsa(owner, digest, signature)) return true;
    try {
      // The account may not be deployed yet: verified after a simulated deployment.
      if (isErc6492Signature(signature)) {
        return await chain.client.verifyHash({ address: owner, hash: digest, signature });
      }
      const code = await chain.client.getCode({ address: owner });
      if (code === undefined) return false;
      const answer = await chain.client.readContract({
        address: owner,
        abi: erc1271Abi,
        functionName: 'isValidSignature',
        args: [digest, signature],
      });
      return answer === MAGIC_VALUE;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw new ChainUnreadableError(chain.name, error);
    }
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof ContractFunctionRevertedError ||
      cause instanceof ContractFunctionZeroDataError,
  ) !== null;

async function isEcdsa(owner: Address, digest: Hex, signature: Hex): Promise<boolean> {
  try {
    const signer = await recoverAddress({ hash: digest, signature });
    return signer.toLowerCase() === owner.toLowerCase();
  } catch {
    return false;
  }
}
