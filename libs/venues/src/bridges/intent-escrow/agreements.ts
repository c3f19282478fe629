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

const kept = new LRUCache<string, Agreements>({ max: CAPACITY });

/**
 * Returns the signatures of an order that earlier rounds collected: they stay valid, so that a quorum needs no round in
 * which all its attesters answer, only one that still says so.
 */
export function agreementsOf({ orderId, chainId, oracle }: AttestedOrder): Agreements {
  const key = `${chainId} ${oracle.toLowerCase()} ${orderId}`;
  const known = kept.get(key) ?? new Agreements();
  kept.set(key, known);
  return known;
}

/** Newest attestation of each attester about one order. */
class Agreements {
  private readonly newest = new Map<Address, Attestation>();

  /** Adds an attestation and returns its quorum's, if it is reached, with no more signatures than that needs. */
  add(attestation: Attestation, threshold: number): CollectedAttestation | null {
    const { outcome, filler, attester } = attestation;
    this.newest.set(attester, attestation);
    const agreeing = [...this.newest.values()].filter(
      (each) => each.outcome === outcome && isAddressEqual(each.filler, filler),
    );
    if (agreeing.length < threshold) return null;
    return { outcome, filler, signatures: orderedSignatures(agreeing.slice(0, threshold)) };
  }
}
