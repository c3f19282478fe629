import { FILL_OUTCOMES, fillAttestationTypedData } from '@bascule/solidity';
import {
  type Address,
  type Hex,
  isAddress,
  parseSignature,
  recoverTypedDataAddress,
  zeroAddress,
} from 'viem';

export type FillOutcome = 'FILLED' | 'UNFILLED';

/** Signed outcome of one attester. */
export interface Attestation {
  outcome: FillOutcome;
  /** Zero when the order was not filled. */
  filler: Address;
  attester: Address;
  signature: Hex;
}

export interface AttestedOrder {
  orderId: Hex;
  chainId: bigint;
  oracle: Address;
}

// The oracle accepts only canonical signatures, and one bad signature makes it reject all.
const SIGNATURE = /^0x[0-9a-f]{128}(1b|1c)$/;
const HALF_OF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Reads an attester's answer; the attester's address is recovered from the signature.
 * @throws Error with the defect of the answer
 */
export async function readAttestation(answer: unknown, order: AttestedOrder): Promise<Attestation> {
  const { order_id: id, outcome, filler, signature } = (answer ?? {}) as Record<string, unknown>;
  if (id !== order.orderId) throw new Error('attestation of another order');
  if (outcome !== 'FILLED' && outcome !== 'UNFILLED')
    throw new Error('attestation without a known outcome');
  if (typeof filler !== 'string' || !isAddress(filler))
    throw new Error('attestation without a filler');
  if ((outcome === 'FILLED') === (filler === zeroAddress)) {
    throw new Error('outcome and filler contradict each other');
  }
  if (!isSignature(signature)) throw new Error('malformed signature');
  const attester = await recoverTypedDataAddress({
    ...fillAttestationTypedData(
      {
        orderId: order.orderId,
        outcome: outcome === 'FILLED' ? FILL_OUTCOMES.filled : FILL_OUTCOMES.unfilled,
        filler,
      },
      order,
    ),
    signature,
  });
  return { outcome, filler, attester, signature };
}

function isSignature(value: unknown): value is Hex {
  if (typeof value !== 'string' || !SIGNATURE.test(value)) return false;
  const { s } = parseSignature(value as Hex);
  return BigInt(s) <= HALF_OF_ORDER;
}
