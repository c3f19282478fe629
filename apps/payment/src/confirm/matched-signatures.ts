import type {
  SignatureType,
  ValidationError,
  Verification,
  VerificationReason,
} from '@bascule/contracts';
import type { Hex } from 'viem';

export interface GivenSignature {
  reason: VerificationReason;
  signature_type?: SignatureType;
  signature: Hex;
}

/** Signatures of each reason that the client answers, in the order of its verifications. */
export type MatchedSignatures = ReadonlyMap<VerificationReason, readonly Hex[]>;

export const matchSignatures = (given: readonly GivenSignature[]): MatchedSignatures =>
  new Map(
    [...new Set(given.map(({ reason }) => reason))].map((reason) => [
      reason,
      given.filter((each) => each.reason === reason).map(({ signature }) => signature),
    ]),
  );

const problem = (path: ValidationError['path'], message: string): ValidationError => ({
  code: 'custom',
  path,
  message,
});

/** Problems of signatures that do not belong to the verifications asked for; a reason is answered as a whole. */
export function signatureProblems(
  given: readonly GivenSignature[],
  asked: readonly Verification[],
): ValidationError[] {
  const ofEach = given.flatMap(({ reason, signature_type }, index): ValidationError[] => {
    const expected = asked.find((verification) => verification.reason === reason)?.signature_type;
    if (expected === undefined) {
      const message = `The payment requires no ${reason} signature.`;
      return [problem(['signatures', index, 'reason'], message)];
    }
    return signature_type === undefined || signature_type === expected
      ? []
      : [problem(['signatures', index, 'signature_type'], `Expected ${expected} for ${reason}.`)];
  });
  return [...ofEach, ...countProblems(matchSignatures(given), asked)];
}

const countProblems = (
  given: MatchedSignatures,
  asked: readonly Verification[],
): ValidationError[] =>
  [...given].flatMap(([reason, { length }]) => {
    const expected = asked.filter((verification) => verification.reason === reason).length;
    const message =
      `Expected ${expected} ${reason} signatures, one for each verification in its order; ` +
      `received ${length}.`;
    return expected === 0 || expected === length ? [] : [problem(['signatures'], message)];
  });
