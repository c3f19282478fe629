import type { RefundInstruction } from '@bascule/solidity';
import { encodeAbiParameters, isAddressEqual } from 'viem';
import type { Address, Hex } from 'viem';

export interface RefundedLog {
  recipient: Address;
  feeReceiver: Address;
  fee: bigint;
}

/**
 * True when this instruction made the refund. Instructions that differ only in `validUntil` leave the same log, so the
 * transaction's input must contain this one.
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
