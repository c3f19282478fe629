import {
  attemptCalls,
  isValidSignatureCall,
  secondedRefusal,
  signatureCalls,
  witnessedView,
} from '@bascule/chain';
import type { CallOutcome, Chain, ChainView, SignatureClaim } from '@bascule/chain';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { concat, encodeAbiParameters, keccak256, size, toHex } from 'viem';
import type { Address, Hex } from 'viem';
import { CHAIN_TIMEOUT_MS } from './chain-timeout.js';

const MAX_GAS = 3_000_000n;
const DIGEST = keccak256(toHex('signature support'));
const ECDSA_SHAPE: Hex = concat([`0x${'11'.repeat(64)}`, '0x1b']);
/** Wallets whose signature names one of several owners decode this form, and revert without data for any other. */
const INDEXED_OWNER_SHAPE = encodeAbiParameters(
  [{ type: 'tuple', components: [{ type: 'uint256' }, { type: 'bytes' }] }],
  [[0n, ECDSA_SHAPE]],
);

/** Whether the bytes are an answer of `isValidSignature`, or a refusal with a reason. */
const isAnswer = ({ success, data }: CallOutcome): boolean =>
  success ? size(data) >= 32 : size(data) > 0;

/** Finds contracts that cannot verify signatures: money of such an owner could never be recovered. */
@Injectable()
export class SignatureSupportClient {
  /**
   * Two of several nodes must say that it is not.
   * @throws ServiceError 503 while the chain cannot be read
   */
  async isSupported(chain: Chain, owner: Address): Promise<boolean> {
    const calls = [ECDSA_SHAPE, INDEXED_OWNER_SHAPE].map((shape) =>
      isValidSignatureCall(owner, DIGEST, shape),
    );
    const ask = async (view: ChainView) =>
      (await attemptCalls(view, calls, { gas: MAX_GAS })).some(isAnswer);
    const answer = secondedRefusal(chain, ask, (isSupported) => !isSupported);
    return readChain(chain.name, CHAIN_TIMEOUT_MS, answer);
  }

  /**
   * Whether the owner's contract answers about a signature, deployed by it where necessary (ERC-6492). An answer may be
   * a refusal, since most accounts bind their signatures to one chain. Two of several nodes must say the same.
   * @throws ServiceError 503 while the chain cannot be read
   */
  async answers(chain: Chain, claim: SignatureClaim): Promise<boolean> {
    const answer = witnessedView(chain, async (view) =>
      (await attemptCalls(view, signatureCalls(claim), { gas: MAX_GAS })).slice(-1).some(isAnswer),
    );
    return readChain(chain.name, CHAIN_TIMEOUT_MS, answer);
  }
}
