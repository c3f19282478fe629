import { orderedSignatures } from '@bascule/solidity';
import { LRUCache } from 'lru-cache';
import { isAddressEqual } from 'viem';
import type { Address, Hex } from 'viem';
import type { AttestedOrder, Attestation, FillOutcome } from './attestation-answer.js';

/** Orders whose signatures are kept between rounds. */
const CAPACITY = 5_000;

/** Attestation of a quorum: the arguments of the oracle's `attest`. */
export interface CollectedAttestation {
  outcome: FillOutcome;
  /** Zero when the order was not filled. */
  filler: Address;
  signatures: Hex[];
}

/** Newest attestation of each attester about one order. */
type Newest = Map<Address, Attestation>;

const kept = new LRUCache<string, Newest>({ max: CAPACITY });

/**
 * Begins a round with the signatures of an order that earlier rounds collected: they stay valid, so that a quorum needs
 * no round in which all its attesters answer, only one that still says so.
 */
export function agreementsOf({ orderId, chainId, oracle }: AttestedOrder): Agreements {
  const key = `${chainId} ${oracle.toLowerCase()} ${orderId}`;
  const known = kept.get(key) ?? new Map<Address, Attestation>();
  kept.set(key, known);
  return new Agreements(known);
}

/** Attestations of one round and of those before it. */
class Agreements {
  /** Attestations of signers whom only one of several nodes confirms: later rounds do not count them. */
  private readonly unwitnessed: Newest = new Map();

  constructor(private readonly witnessed: Newest) {}

  /**
   * Adds an attestation and returns its quorum's, if it is reached, with no more signatures than that needs.
   * @param isWitnessed whether two nodes, or the only one, confirm the attester
   */
  add(
    attestation: Attestation,
    isWitnessed: boolean,
    threshold: number,
  ): CollectedAttestation | null {
    const { outcome, filler, attester } = attestation;
    const isKept = isWitnessed || this.witnessed.has(attester);
    (isKept ? this.witnessed : this.unwitnessed).set(attester, attestation);
    if (isKept) this.unwitnessed.delete(attester);
    const agreeing = [...this.witnessed.values(), ...this.unwitnessed.values()].filter(
      (each) => each.outcome === outcome && isAddressEqual(each.filler, filler),
    );
    if (agreeing.length < threshold) return null;
    return { outcome, filler, signatures: orderedSignatures(agreeing.slice(0, threshold)) };
  }
}
