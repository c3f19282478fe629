import { createRequire } from 'node:module';
import { deployCode } from '@bascule/testing';
import {
  concat,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  http,
  pad,
  zeroAddress,
} from 'viem';
import type { Abi, Address, Hex, LocalAccount } from 'viem';
import { developmentAccounts } from '@bascule/local-stack';
import { privateKeyToAccount } from 'viem/accounts';

interface Artifact {
  abi: Abi;
  bytecode: Hex;
}

const require = createRequire(import.meta.url);
/** Published build of Safe's contracts. */
const artifact = (path: string): Artifact =>
  require(`@safe-global/safe-smart-account/build/artifacts/contracts/${path}.json`) as Artifact;

/** A Safe of the published contracts, whose owners sign together. */
export interface Safe {
  address: Address;
  /** ERC-1271 signature of the digest by these owners, over the Safe's own typed data. */
  sign(digest: Hex, owners: readonly LocalAccount[]): Promise<Hex>;
  /** Calldata by which an owner, who alone is enough, has the Safe send native currency. */
  payment(owner: Address, to: Address, value: bigint): Hex;
}

export async function deploySafe(
  rpcUrl: string,
  owners: readonly Address[],
  threshold: number,
): Promise<Safe> {
  const safe = artifact('Safe.sol/Safe');
  const handler = artifact('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler');
  const proxy = artifact('proxies/SafeProxy.sol/SafeProxy');
  const singleton = await deployCode(rpcUrl, safe.bytecode);
  const fallbackHandler = await deployCode(rpcUrl, handler.bytecode);
  const creation = encodeDeployData({ ...proxy, args: [singleton] });
  const address = await deployCode(rpcUrl, creation);

  const transport = http(rpcUrl);
  const client = createPublicClient({ transport, pollingInterval: 50 });
  const account = privateKeyToAccount(developmentAccounts[0].privateKey);
  const hash = await createWalletClient({ account, transport }).writeContract({
    chain: null,
    address,
    abi: safe.abi,
    functionName: 'setup',
    args: [
      owners,
      BigInt(threshold),
      zeroAddress,
      '0x',
      fallbackHandler,
      zeroAddress,
      0n,
      zeroAddress,
    ],
  });
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('the Safe was not set up');
  const chainId = await client.getChainId();

  return {
    address,
    payment: (owner, to, value) =>
      encodeFunctionData({
        abi: safe.abi,
        functionName: 'execTransaction',
        args: [to, value, '0x', 0, 0n, 0n, 0n, zeroAddress, zeroAddress, approvalBy(owner)],
      }),
    async sign(digest, signers) {
      const ordered = [...signers].sort((one, other) =>
        BigInt(one.address) < BigInt(other.address) ? -1 : 1,
      );
      const signatures = await Promise.all(
        ordered.map((signer) => signSafeMessage(signer, digest, { chainId, address })),
      );
      return concat(signatures);
    },
  };
}

/** Signature of an owner that sends the transaction itself. */
const approvalBy = (owner: Address): Hex => concat([pad(owner), pad('0x'), '0x01']);

function signSafeMessage(
  signer: LocalAccount,
  digest: Hex,
  safe: { chainId: number; address: Address },
): Promise<Hex> {
  return signer.signTypedData({
    domain: { chainId: safe.chainId, verifyingContract: safe.address },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: encodeAbiParameters([{ type: 'bytes32' }], [digest]) },
  });
}
