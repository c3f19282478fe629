import { FILL_OUTCOMES, attesterOracleAbi, intentEscrowAbi } from '@bascule/solidity';
import { encodeFunctionData, multicall3Abi, parseErc6492Signature, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { Refund } from './refund.js';
import type { Call } from '../withdrawal-account.js';

export interface RefundSubmission {
  multicall3: Address;
  /** That the order was not filled, where the oracle has not been told yet; in the order in which it takes them. */
  attesters: readonly Hex[] | null;
}

/**
 * The one transaction that brings a signed refund onto the chain: where they are needed, it deploys (from an ERC-6492
 * signature) the account that owns the order, and tells the oracle what its attesters have signed.
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
  // Each may fail because somebody else was first; if what it brings is not there, the refund fails.
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
