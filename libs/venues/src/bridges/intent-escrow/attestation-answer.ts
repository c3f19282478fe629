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

/** What one attester has said and signed. */
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

// The oracle takes one form of each signature only, and refuses all of them for one that is not.
const SIGNATURE = /^0x[0-9a-f]{128}(1b|1c)$/;
const HALF_OF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * The attester is whoever has signed, whatever the answer says about itself.
 * @throws Error saying what is wrong with the answer
 */
export async function readAttestation(answer: unknown, order: AttestedOrder): Promise<Attestation> {
  const { order_id: id, outcome, filler, signature } = (answer ?? {}) as Record<string, unknown>;
  if (id !== order.orderId) throw new Error('it is about another order');
  if (outcome !== 'FILLED' && outcome !== 'UNFILLED') throw new Error('it says no outcome');
  if (typeof filler !== 'string' || !isAddress(filler)) throw new Error('it names no filler');
  if ((outcome === 'FILLED') === (filler === zeroAddress)) {
    throw new Error('its outcome and its filler do not fit');
  }
  if (!isSignature(signature)) throw new Error('its signature has not the form of one');
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
