import {
  encodeFunctionData,
  isErc6492Signature,
  parseAbi,
  parseErc6492Signature,
  recoverAddress,
} from 'viem';
import type { Address, Hex } from 'viem';
import { attemptCalls } from './attempt-calls.js';
import type { AttemptedCall } from './attempt-calls.js';
import type { Chain, ChainView } from './chain.js';
import { mostNodesSay } from './fees.js';

/** Signer of a valid signature: the address's own key, which signs on every chain, or its contract on one chain. */
export type OwnerSigner = 'key' | 'contract';

export interface SignatureClaim {
  owner: Address;
  digest: Hex;
  /** ECDSA, ERC-1271, or ERC-6492 of an account that is not deployed yet. */
  signature: Hex;
}

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/** `0x1626ba7e` as a whole word, as OpenZeppelin's SignatureChecker requires. */
const MAGIC_WORD = `0x1626ba7e${'0'.repeat(56)}`;
/** Bounds the code of a stranger's contract on our nodes. */
const MAX_GAS = 10_000_000n;

/** Call that asks a contract about a signature. */
export const isValidSignatureCall = (
  owner: Address,
  digest: Hex,
  signature: Hex,
): AttemptedCall => ({
  target: owner,
  data: encodeFunctionData({
    abi: erc1271Abi,
    functionName: 'isValidSignature',
    args: [digest, signature],
  }),
});

/** Calls that ask a contract about a signature, after deploying it where the signature says how; [] for malformed bytes. */
export function signatureCalls({ owner, digest, signature }: SignatureClaim): AttemptedCall[] {
  const inner = parse(signature);
  if (inner === null) return [];
  return [
    ...(inner.address === undefined ? [] : [{ target: inner.address, data: inner.data }]),
    isValidSignatureCall(owner, digest, inner.signature),
  ];
}

/**
 * Verifies a signature in the wallet contract's order: ECDSA first, since an EIP-7702 account has code and still signs.
 * @returns null when the signature is not the owner's
 * @throws only when the chain cannot be read
 */
export async function ownerSigner(
  chain: Pick<ChainView, 'client' | 'definition'>,
  claim: SignatureClaim,
): Promise<OwnerSigner | null> {
  if (await isKeySignature(claim)) return 'key';
  const calls = signatureCalls(claim);
  if (calls.length === 0) return null;
  const outcome = (await attemptCalls(chain, calls, { gas: MAX_GAS })).at(-1);
  return outcome?.success === true && outcome.data.slice(0, 66) === MAGIC_WORD ? 'contract' : null;
}

/**
 * Whether the owner's account does not exist, and the signature deploys it (ERC-6492): by the nodes' median, of two that
 * differ it does.
 */
export const deploysOwner = async (
  chain: Pick<Chain, 'name' | 'endpoints'>,
  owner: Address,
  signature: Hex,
): Promise<boolean> => {
  if (!isErc6492Signature(signature)) return false;
  return mostNodesSay(chain, (client) => deploysOwnerIn({ client }, owner, signature), true);
};

/** Whether a signature deploys the owner's account, as one client shows the chain. */
export const deploysOwnerIn = async (
  { client }: Pick<ChainView, 'client'>,
  owner: Address,
  signature: Hex,
): Promise<boolean> =>
  isErc6492Signature(signature) && (await client.getCode({ address: owner })) === undefined;

/** Returns null for bytes that end like an ERC-6492 signature without being one. */
function parse(signature: Hex) {
  try {
    return parseErc6492Signature(signature);
  } catch {
    return null;
  }
}

/** Whether the address's own key signed (ECDSA), which no chain is asked for. */
export async function isKeySignature({
  owner,
  digest,
  signature,
}: SignatureClaim): Promise<boolean> {
  try {
    const signer = await recoverAddress({ hash: digest, signature });
    return signer.toLowerCase() === owner.toLowerCase();
  } catch {
    return false;
  }
}
