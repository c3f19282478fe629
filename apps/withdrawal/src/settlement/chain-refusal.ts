import { conflict, invalidRequest, unauthenticated } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';
import { intentEscrowAbi, oneTimeWalletAbi } from '@bascule/solidity';
import { decodeErrorResult } from 'viem';
import type { Hex } from 'viem';

const ERRORS = [...oneTimeWalletAbi, ...intentEscrowAbi];

/** Decodes the error name of a wallet's or the escrow's revert; null for any other contract. */
export function contractError(data: Hex): string | null {
  try {
    return decodeErrorResult({ abi: ERRORS, data }).errorName;
  } catch {
    return null;
  }
}

export const wrongSignature = (): ServiceError =>
  unauthenticated("The signature is not that of the payment's owner.");
export const alreadyExecuted = (): ServiceError => conflict('The withdrawal was already executed.');
export const expired = (): ServiceError =>
  invalidRequest({ kind: 'other', message: 'The withdrawal has expired. Request a new one.' });
export const reducedFeeUsed = (): ServiceError =>
  invalidRequest({
    kind: 'other',
    message:
      'Another withdrawal of this chain of retries has used its reduced fee. Request a new one.',
  });
export const failed = (reason: string | null): ServiceError =>
  invalidRequest({
    kind: 'other',
    message: `The withdrawal failed: ${reason ?? 'the chain refused it'}`,
  });

/** Maps a contract's error to the client's error. */
export function chainRefusal(error: string | null): ServiceError {
  switch (error) {
    case 'WrongSignature':
      return wrongSignature();
    case 'AuthorizationDead':
    case 'RefundTextDead':
      return expired();
    case 'NonceAlreadyUsed':
    case 'NotOpen':
      return alreadyExecuted();
    default:
      return failed(`the chain would refuse it${error === null ? '' : ` (${error})`}.`);
  }
}
