import { describe, expect, it } from '@jest/globals';
import { decodeFunctionData, multicall3Abi, serializeErc6492Signature, zeroAddress } from 'viem';
import {
  type Declaration,
  declarationHash,
  oneTimeWalletAbi,
  oneTimeWalletAddress,
  oneTimeWalletFactoryAbi,
  type ServiceAuthorization,
  withdrawalCall,
} from './index.js';

const declaration: Declaration = {
  factory: '0xFac7000000000000000000000000000000000001',
  paymentId: '0x0190b2c3d4e57f60a1b2c3d4e5f60718',
  owner: '0x1000000000000000000000000000000000000001',
  executor: '0x1000000000000000000000000000000000000002',
  destination: '0x1000000000000000000000000000000000000003',
  expiry: 1_800_000_000n,
  legs: [],
};
const authorization: ServiceAuthorization = {
  description: 'Return 1 ETH to its owner',
  actions: [{ target: declaration.owner, data: '0x', value: 10n ** 18n }],
  nonce: 1n,
  signatory_declaration_hash: declarationHash(declaration),
  chain_id: 31_337n,
  accept_blame: false,
};
const wallet = oneTimeWalletAddress(declaration);
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const target = { wallet, multicall3, isDeployed: false } as const;
const accountFactory = '0x2000000000000000000000000000000000000001';
const signature = '0x1234';
const wrapped = serializeErc6492Signature({ address: accountFactory, data: '0xabcd', signature });

function batchOf(call: { to: string; data: `0x${string}` }) {
  expect(call.to).toBe(multicall3);
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data });
  return args?.[0] as { target: string; allowFailure: boolean; callData: `0x${string}` }[];
}

function signatureIn(data: `0x${string}`) {
  const { functionName, args } = decodeFunctionData({ abi: oneTimeWalletAbi, data });
  expect(functionName).toBe('withdraw');
  return args?.[2];
}

describe('the transaction of a withdrawal', () => {
  it('calls a deployed wallet directly', () => {
    const call = withdrawalCall(declaration, authorization, signature, {
      ...target,
      isDeployed: true,
    });
    expect(call.to).toBe(wallet);
    expect(signatureIn(call.data)).toBe(signature);
  });

  it('deploys a missing wallet first', () => {
    const calls = batchOf(withdrawalCall(declaration, authorization, signature, target));
    expect(calls.map((call) => call.target)).toEqual([declaration.factory, wallet]);
    expect(calls.map((call) => call.allowFailure)).toEqual([false, false]);
    const [deploy, withdraw] = calls;
    expect(
      decodeFunctionData({ abi: oneTimeWalletFactoryAbi, data: deploy?.callData ?? '0x' }),
    ).toEqual({ functionName: 'deploy', args: [declarationHash(declaration)] });
    expect(signatureIn(withdraw?.callData ?? '0x')).toBe(signature);
  });

  it.each([true, false])(
    'deploys an owner that is not there, and unwraps its signature (wallet there: %s)',
    (isDeployed) => {
      const calls = batchOf(
        withdrawalCall(declaration, authorization, wrapped, { ...target, isDeployed }),
      );
      expect(calls.map((call) => call.target)).toEqual([
        accountFactory,
        declaration.factory,
        wallet,
      ]);
      // Somebody else may have deployed the account meanwhile.
      expect(calls.map((call) => call.allowFailure)).toEqual([true, false, false]);
      expect(calls[0]?.callData).toBe('0xabcd');
      expect(signatureIn(calls[2]?.callData ?? '0x')).toBe(signature);
    },
  );

  it('never calls the zero address', () => {
    const calls = batchOf(withdrawalCall(declaration, authorization, wrapped, target));
    expect(calls.map((call) => call.target)).not.toContain(zeroAddress);
  });
});
