import { MalformedJsonError, parseOrder } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { getAddress, isAddress } from 'viem';
import type { Address } from 'viem';
import { Refusal } from './refusal.js';

export interface AttestationRequest {
  escrow: Address;
  order: Order;
}

/** @throws Refusal unless the body is `{escrow, order}` */
export function readAttestationRequest(body: unknown): AttestationRequest {
  const { escrow, order } = (body ?? {}) as Record<string, unknown>;
  if (typeof escrow !== 'string' || !isAddress(escrow)) {
    throw new Refusal('invalid_request', 'escrow: expected an address');
  }
  try {
    return { escrow: getAddress(escrow), order: parseOrder(order) };
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    throw new Refusal('invalid_request', error.message);
  }
}
