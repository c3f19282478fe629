import type { Payment, Verification } from '@bascule/contracts';
import type { PrivateKeyAccount } from 'viem';
import { ApiError, type Api } from './api.js';
import { check, checkEqual } from './check.js';
import { signTypedData } from './withdraw.js';

/** Rounds of signatures that a confirm may ask for in a row. */
const MAX_ROUNDS = 2;

/** Signs everything that is asked for as the owner; returns the confirmed payment. */
export async function verified(
  api: Api,
  owner: PrivateKeyAccount,
  unconfirmed: Payment,
): Promise<Payment> {
  let payment = unconfirmed;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = payment.next_instruction;
    if (next?.type !== 'USER_VERIFY') break;
    payment = await answer(api, owner, next.verification_token, next.verifications);
  }
  checkEqual('the payment is confirmed', payment.status, 'PENDING');
  return payment;
}

async function answer(
  api: Api,
  owner: PrivateKeyAccount,
  verificationToken: string,
  verifications: readonly Verification[],
): Promise<Payment> {
  const signatures = await Promise.all(
    verifications.map(async ({ reason, signature_type, payload }) => ({
      reason,
      signature_type,
      signature: await (signature_type === 'EIP712'
        ? signTypedData(owner, payload)
        : owner.signMessage({ message: payload })),
    })),
  );
  const body = { verification_token: verificationToken, signatures };
  return api.post<Payment>('/payments/confirm', body);
}

/** Fails unless the service refuses a stranger's signatures, which confirm nothing. */
export async function strangerIsRefused(
  api: Api,
  stranger: PrivateKeyAccount,
  unconfirmed: Payment,
): Promise<void> {
  const next = unconfirmed.next_instruction;
  if (next?.type !== 'USER_VERIFY') throw new Error('the payment needs no verification');
  const refusal = await answer(api, stranger, next.verification_token, next.verifications).catch(
    (error: unknown) => error,
  );
  check('a stranger is refused', refusal instanceof ApiError && refusal.status === 401, refusal);
}
