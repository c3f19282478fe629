import { FILL_OUTCOMES, attesterOracleAbi, intentEscrowAbi } from '@bascule/solidity';
import { encodeFunctionData, multicall3Abi, parseErc6492Signature, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { Refund } from './refund.js';
import type { Call } from '../withdrawal-account.js';

export interface RefundSubmission {
  multicall3: Address;
  /** Signatures that the order was not filled, in the oracle's order; null when the oracle has them. */
  attesters: readonly Hex[] | null;
}

/**
 * Builds the transaction of a signed refund. Where needed, one batch first deploys the owner's account (ERC-6492) and
 * submits the attesters' signatures to the oracle.
 */
export function refundCall(
  { orderId, escrow, order, instruction }: Refund,
  signature: Hex,
  { multicall3, attesters }: RefundSubmission,
): Call {
  const owner = parseErc6492Signature(signature);
  const refund = encodeFunctionData({
    abi: intentEscrowAbi,
    functionName: 'refund',
    args: [order, instruction, owner.signature],
  });
  // May fail when another transaction did the same first; without their effect the refund reverts.
  const before: { target: Address; callData: Hex }[] = [];
  if (owner.address !== undefined) before.push({ target: owner.address, callData: owner.data });
  if (attesters !== null) {
    const callData = encodeFunctionData({
      abi: attesterOracleAbi,
      functionName: 'attest',
      args: [orderId, FILL_OUTCOMES.unfilled, zeroAddress, attesters],
    });
    before.push({ target: order.oracle, callData });
  }
  if (before.length === 0) return { to: escrow, data: refund };
  const calls = [
    ...before.map((call) => ({ ...call, allowFailure: true })),
    { target: escrow, callData: refund, allowFailure: false },
  ];
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  });
  return { to: multicall3, data };
}
