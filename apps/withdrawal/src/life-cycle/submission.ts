import { oneTimeWalletAbi, oneTimeWalletFactoryAbi, parseDeclaration } from '@bascule/solidity';
import { encodeFunctionData, multicall3Abi } from 'viem';
import type { Address, Hex } from 'viem';
import { authorizationOf } from './authorization.js';
import type { WithdrawalRecord } from './withdrawal-record.js';

export interface SubmissionTarget {
  multicall3: Address;
  /** In a block that stays: a call to an address without code would do nothing and count as success. */
  isDeployed: boolean;
  /** Only to find out why the withdrawal fails. */
  allowFailure?: boolean;
}

/** The transaction that brings a signed withdrawal onto its chain; it deploys the wallet where that is still to be done. */
export function submissionCall(
  record: Pick<WithdrawalRecord, 'declaration' | 'typedData' | 'walletAddress'>,
  signature: Hex,
  { multicall3, isDeployed, allowFailure = false }: SubmissionTarget,
): { to: Address; data: Hex } {
  const wallet = record.walletAddress as Address;
  const declaration = parseDeclaration(record.declaration);
  const authorization = authorizationOf(record.typedData);
  const withdraw = encodeFunctionData({
    abi: oneTimeWalletAbi,
    functionName: 'withdraw',
    args: [declaration, authorization, signature],
  });
  if (isDeployed) return { to: wallet, data: withdraw };
  const deploy = encodeFunctionData({
    abi: oneTimeWalletFactoryAbi,
    functionName: 'deploy',
    args: [authorization.signatory_declaration_hash],
  });
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [
      [
        { target: declaration.factory, allowFailure, callData: deploy },
        { target: wallet, allowFailure, callData: withdraw },
      ],
    ],
  });
  return { to: multicall3, data };
}

/** The transactions of a withdrawal by number, from 1. */
export const submissionReference = (withdrawId: string, number: number): string =>
  `withdrawal:${withdrawId}:${number}`;

export const withdrawIdOf = (reference: string): string => reference.split(':')[1] ?? '';
