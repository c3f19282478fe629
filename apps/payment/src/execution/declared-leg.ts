import { parseDeclaration } from '@bascule/solidity';
import type { Leg as DeclaredLeg } from '@bascule/solidity';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/** What the owner's declaration says of a leg. */
export function declaredLeg({ id, declaration }: PaymentRecord, legIndex: number): DeclaredLeg {
  const declared = parseDeclaration(declaration).legs[legIndex];
  if (!declared) throw new Error(`payment ${id} declares no leg ${legIndex}`);
  return declared;
}
