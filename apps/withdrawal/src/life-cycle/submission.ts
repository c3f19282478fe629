import { parseDeclaration, withdrawalCall } from '@bascule/solidity';
import type { WithdrawalTarget } from '@bascule/solidity';
import type { Address, Hex } from 'viem';
import { authorizationOf } from './authorization.js';
import type { WithdrawalRecord } from './withdrawal-record.js';

/** The transaction that brings a signed withdrawal onto its chain; it deploys what is not there yet. */
export function submissionCall(
  record: Pick<WithdrawalRecord, 'declaration' | 'typedData' | 'walletAddress'>,
  signature: Hex,
  target: Omit<WithdrawalTarget, 'wallet'>,
): { to: Address; data: Hex } {
  return withdrawalCall(
    parseDeclaration(record.declaration),
    authorizationOf(record.typedData),
    signature,
    { wallet: record.walletAddress as Address, ...target },
  );
}

/** The transactions of a withdrawal by number, from 1. */
export const submissionReference = (withdrawId: string, number: number): string =>
  `withdrawal:${withdrawId}:${number}`;

export const withdrawIdOf = (reference: string): string => reference.split(':')[1] ?? '';
