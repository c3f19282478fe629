import { conflict, invalidRequest, unauthenticated } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';

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
    message: `The withdrawal failed: ${reason ?? 'the chain refused it.'}`,
  });
