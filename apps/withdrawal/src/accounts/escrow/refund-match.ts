import type { RefundInstruction } from '@bascule/solidity';
import { encodeAbiParameters, isAddressEqual } from 'viem';
import type { Address, Hex } from 'viem';

export interface RefundedLog {
  recipient: Address;
  feeReceiver: Address;
  fee: bigint;
}

/**
 * Whether a refund was made by this instruction. Two that differ only in their time of death leave the same log, so the
 * transaction has to carry this one, however deep in its calls.
 */
export function isRefundMatching(
  instruction: RefundInstruction,
  { recipient, feeReceiver, fee }: RefundedLog,
  transactionInput: Hex,
): boolean {
  const encoded = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
    [instruction.recipient, instruction.feeReceiver, instruction.fee, instruction.validUntil],
  );
  return (
    isAddressEqual(recipient, instruction.recipient) &&
    isAddressEqual(feeReceiver, instruction.feeReceiver) &&
    fee === instruction.fee &&
    transactionInput.includes(encoded.slice(2))
  );
}
