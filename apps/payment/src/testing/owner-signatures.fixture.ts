import type { Payment, Verification, VerificationReason } from '@bascule/contracts';
import { hashMessage, hashTypedData } from 'viem';
import type { Hex, LocalAccount, TypedDataDefinition } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

export const aKey = () => privateKeyToAccount(generatePrivateKey());

export interface AskedVerification {
  verification_token: string;
  verifications: Verification[];
}

/** Signatures that an unconfirmed payment asks its owner for. */
export function askedOf(payment: Payment): AskedVerification {
  const { next_instruction: next } = payment;
  if (payment.status !== 'UNCONFIRMED' || next?.type !== 'USER_VERIFY') {
    throw new Error(`not to be verified: ${JSON.stringify(payment)}`);
  }
  return next;
}

/** Parses typed data as clients do, without the type of the domain. */
export function typedDataOf(payload: string): TypedDataDefinition {
  const { types, ...rest } = JSON.parse(payload) as TypedDataDefinition & {
    types: Record<string, unknown>;
  };
  const { EIP712Domain: _, ...signed } = types;
  return { ...rest, types: signed };
}

export const digestOf = ({ signature_type, payload }: Verification): Hex =>
  signature_type === 'EIP712' ? hashTypedData(typedDataOf(payload)) : hashMessage(payload);

export type Sign = (verification: Verification) => Promise<Hex>;

/** Signs as a wallet does. */
export const signWith =
  (key: LocalAccount): Sign =>
  ({ signature_type, payload }) =>
    signature_type === 'EIP712'
      ? key.signTypedData(typedDataOf(payload))
      : key.signMessage({ message: payload });

/** Body of the continue form, with every asked signature or those of one reason. */
export async function continuation(
  { verification_token, verifications }: AskedVerification,
  sign: Sign,
  only?: VerificationReason,
) {
  const answered = verifications.filter(({ reason }) => only === undefined || reason === only);
  const signatures = await Promise.all(
    answered.map(async (verification) => ({
      reason: verification.reason,
      signature_type: verification.signature_type,
      signature: await sign(verification),
    })),
  );
  return { verification_token, signatures };
}
