import { attesterOracleAbi, FILL_OUTCOMES, intentEscrowAbi } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { encodeFunctionData, multicall3Abi } from 'viem';
import type { Address, Hex } from 'viem';

export interface Claim {
  id: Hex;
  order: Order;
  escrow: Address;
  /** Null when the oracle knows of the fill already. */
  attestation: { filler: Address; signatures: readonly Hex[] } | null;
}

/** Tells the oracle, unless somebody else does first, and takes what the escrow holds: one transaction. */
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
