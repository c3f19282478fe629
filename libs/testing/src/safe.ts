import { createRequire } from 'node:module';
import {
  concat,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  http,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem';
import type { Abi, Address, Hex, LocalAccount } from 'viem';
import { developmentAccounts } from '@bascule/local-stack';
import { privateKeyToAccount } from 'viem/accounts';
import { deployCode } from './smart-accounts.js';

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
  /**
   * Has the Safe make a call that these owners sign; the faucet submits it.
   *
   * @throws Error when the Safe or the call reverts
   */
  execute(call: { to: Address; data: Hex }, owners: readonly LocalAccount[]): Promise<void>;
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
  const address = getAddress(await deployCode(rpcUrl, creation));

  const transport = http(rpcUrl);
  const client = createPublicClient({ transport, pollingInterval: 50 });
  const account = privateKeyToAccount(developmentAccounts[0].privateKey);
  const wallet = createWalletClient({ account, transport });
  const hash = await wallet.writeContract({
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
    sign: (digest, signers) =>
      signedInOrder(signers, (signer) => signSafeMessage(signer, digest, { chainId, address })),
    async execute(call, signers) {
      const nonce = await client.readContract({ address, abi: nonceAbi, functionName: 'nonce' });
      const signatures = await signedInOrder(signers, (signer) =>
        signSafeTransaction(signer, { ...call, nonce }, { chainId, address }),
      );
      const { request } = await client.simulateContract({
        account,
        address,
        abi: safe.abi,
        functionName: 'execTransaction',
        args: [call.to, 0n, call.data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures],
      });
      const executed = await client.waitForTransactionReceipt({
        hash: await wallet.writeContract({ ...request, chain: null }),
      });
      if (executed.status !== 'success') throw new Error('the Safe did not make the call');
    },
  };
}

const nonceAbi = parseAbi(['function nonce() view returns (uint256)']);

/** Signatures of the owners, as a Safe wants them: by ascending address. */
async function signedInOrder(
  signers: readonly LocalAccount[],
  sign: (signer: LocalAccount) => Promise<Hex>,
): Promise<Hex> {
  const ordered = [...signers].sort((one, other) =>
    BigInt(one.address) < BigInt(other.address) ? -1 : 1,
  );
  return concat(await Promise.all(ordered.map(sign)));
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

function signSafeTransaction(
  signer: LocalAccount,
  call: { to: Address; data: Hex; nonce: bigint },
  safe: { chainId: number; address: Address },
): Promise<Hex> {
  return signer.signTypedData({
    domain: { chainId: safe.chainId, verifyingContract: safe.address },
    types: {
      SafeTx: [
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
        { name: 'operation', type: 'uint8' },
        { name: 'safeTxGas', type: 'uint256' },
        { name: 'baseGas', type: 'uint256' },
        { name: 'gasPrice', type: 'uint256' },
        { name: 'gasToken', type: 'address' },
        { name: 'refundReceiver', type: 'address' },
        { name: 'nonce', type: 'uint256' },
      ],
    },
    primaryType: 'SafeTx',
    message: {
      ...call,
      value: 0n,
      operation: 0,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
    },
  });
}
