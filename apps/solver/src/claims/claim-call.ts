import { attesterOracleAbi, FILL_OUTCOMES, intentEscrowAbi } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { encodeFunctionData, multicall3Abi } from 'viem';
import type { Address, Hex } from 'viem';

export interface Claim {
  id: Hex;
  order: Order;
  escrow: Address;
  /** Null when the oracle has already recorded the fill. */
  attestation: { filler: Address; signatures: readonly Hex[] } | null;
}

/** Builds one transaction that submits the attestation, if needed, and releases the order. */
export function claimCall(claim: Claim, multicall3: Address): { to: Address; data: Hex } {
  const release = encodeFunctionData({
    abi: intentEscrowAbi,
    functionName: 'release',
    args: [claim.order],
  });
  if (claim.attestation === null) return { to: claim.escrow, data: release };
  const { filler, signatures } = claim.attestation;
  const attest = encodeFunctionData({
    abi: attesterOracleAbi,
    functionName: 'attest',
    args: [claim.id, FILL_OUTCOMES.filled, filler, signatures],
  });
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [
      [
        { target: claim.order.oracle, allowFailure: true, callData: attest },
        { target: claim.escrow, allowFailure: false, callData: release },
      ],
    ],
  });
  return { to: multicall3, data };
}
