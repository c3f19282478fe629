import type { Chain } from '@bascule/chain';
import {
  attesterOracleAbi,
  FILL_OUTCOMES,
  intentEscrowAbi,
  orderId,
  parseOrder,
} from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { encodeFunctionData, multicall3Abi, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { BridgeTransfer, WalletRefund } from '../bridge.js';
import { collectAttestation } from './attestations.js';
import type { CollectedAttestation } from './agreements.js';
import { readOrderState } from './order-state.js';
import { refundability } from './refundability.js';
import type { Refundability } from './refundability.js';
import { escrowOn } from './transfer-status.js';

export interface WalletRefundOptions {
  attesterUrls: readonly string[];
  signal?: AbortSignal;
}

/**
 * Builds the transaction that refunds an unfilled order to its wallet. Where the oracle has no outcome yet, a batch
 * submits the attesters' signatures first. Attesters are asked about expired orders too: a filled one is never refunded.
 */
export async function walletRefund(
  { details }: BridgeTransfer,
  origin: Chain,
  { attesterUrls, signal }: WalletRefundOptions,
): Promise<WalletRefund> {
  const order = parseOrder(details);
  const escrow = escrowOn(origin);
  const { kind } = refundability(order, await readOrderState(origin, escrow, order));
  const known = withoutAttestation(kind, order, escrow);
  if (known !== null) return known;
  const attestation = await collectAttestation({
    urls: attesterUrls,
    order,
    escrow,
    chain: origin,
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) return null;
    throw error;
  });
  if (attestation?.outcome === 'FILLED') return refused('attesters report the order as filled');
  if (kind === 'expired') return { kind: 'possible', call: refundCall(order, escrow) };
  if (attestation === null) return refused('no quorum of attesters yet');
  const { multicall3 } = origin.definition.contracts;
  return { kind: 'possible', call: attestedRefundCall(order, escrow, attestation, multicall3) };
}

/** Null where attesters have to be asked. */
function withoutAttestation(
  kind: Refundability['kind'],
  order: Order,
  escrow: Address,
): WalletRefund | null {
  switch (kind) {
    case 'refundable':
      return { kind: 'possible', call: refundCall(order, escrow) };
    case 'unattested':
    case 'expired':
      return null;
    case 'early':
      return refused('the order can still be filled');
    case 'filled':
    case 'refunded':
      return refused(`the order is ${kind}`);
    case 'unknown':
      return refused('order not found on chain');
  }
}

const refused = (reason: string): WalletRefund => ({ kind: 'impossible', reason });

function refundCall(order: Order, escrow: Address): { to: Address; data: Hex } {
  const data = encodeFunctionData({
    abi: intentEscrowAbi,
    functionName: 'refundToWallet',
    args: [order],
  });
  return { to: escrow, data };
}

function attestedRefundCall(
  order: Order,
  escrow: Address,
  { signatures }: CollectedAttestation,
  multicall3: Address,
): { to: Address; data: Hex } {
  const attest = encodeFunctionData({
    abi: attesterOracleAbi,
    functionName: 'attest',
    args: [orderId(order, escrow), FILL_OUTCOMES.unfilled, zeroAddress, signatures],
  });
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [
      [
        // May fail when another transaction did the same first; without its effect the refund reverts.
        { target: order.oracle, allowFailure: true, callData: attest },
        { target: escrow, allowFailure: false, callData: refundCall(order, escrow).data },
      ],
    ],
  });
  return { to: multicall3, data };
}
