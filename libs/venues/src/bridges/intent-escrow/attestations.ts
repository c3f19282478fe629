import type { Chain } from '@bascule/chain';
import { makeValidator } from '@bascule/process';
import {
  attesterOracleAbi,
  type Order,
  orderedSignatures,
  orderId,
  serializeOrder,
} from '@bascule/solidity';
import type { Address, Hex } from 'viem';
import { type Attestation, type FillOutcome, readAttestation } from './attestation-answer.js';
import { askAttester } from './attester.client.js';

/** Variables of every service that submits attestations. */
export const attestersEnv = {
  ATTESTER_URLS: makeValidator<readonly string[]>((input) =>
    input.split(',').map((item) => {
      const url = item.trim();
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new Error('expected http(s) URLs, separated by commas');
      }
      return url;
    }),
  )({ default: [], desc: 'attesters of the intent escrow, separated by commas' }),
};

export interface AttestationQuestion {
  urls: readonly string[];
  order: Order;
  escrow: Address;
  /** Origin chain of the order, with its oracle. */
  chain: Chain;
  signal?: AbortSignal;
  /** Called with each ignored answer and the reason. */
  onIgnored?: (answer: { url: string; reason: unknown }) => void;
}

/** Attestation of a quorum: the arguments of the oracle's `attest`. */
export interface CollectedAttestation {
  outcome: FillOutcome;
  /** Zero when the order was not filled. */
  filler: Address;
  signatures: Hex[];
}

/**
 * Asks all attesters concurrently and returns as soon as a quorum agrees; null without a quorum.
 * @throws when the oracle cannot be read or the signal is aborted; failures of attesters are ignored
 */
export async function collectAttestation(
  question: AttestationQuestion,
): Promise<CollectedAttestation | null> {
  const { urls, order, signal } = question;
  const oracle = { address: order.oracle, abi: attesterOracleAbi } as const;
  const threshold = await question.chain.client.readContract({
    ...oracle,
    functionName: 'threshold',
  });
  const agreements = new Agreements(Number(threshold));
  const enough = new AbortController();
  const stop = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal;

  const collected = await new Promise<CollectedAttestation | null>((resolve, reject) => {
    const answers = urls.map(async (url) => {
      const attestation = await validAttestation(url, question, stop);
      const agreed = attestation && agreements.add(attestation);
      if (!agreed) return;
      resolve(agreed);
      enough.abort();
    });
    Promise.all(answers).then(() => resolve(null), reject);
  });
  if (!collected) signal?.throwIfAborted();
  return collected;
}

/** Returns an attester's valid answer; null for any other. */
async function validAttestation(
  url: string,
  { order, escrow, chain, onIgnored }: AttestationQuestion,
  signal: AbortSignal,
): Promise<Attestation | null> {
  let attestation: Attestation;
  try {
    const answer = await askAttester(url, { escrow, order: serializeOrder(order) }, signal);
    attestation = await readAttestation(answer, {
      orderId: orderId(order, escrow),
      chainId: order.originChainId,
      oracle: order.oracle,
    });
  } catch (reason) {
    if (!signal.aborted) onIgnored?.({ url, reason });
    return null;
  }
  const isAttester = await chain.client.readContract({
    address: order.oracle,
    abi: attesterOracleAbi,
    functionName: 'isAttester',
    args: [attestation.attester],
  });
  if (isAttester) return attestation;
  onIgnored?.({ url, reason: new Error(`${attestation.attester} is not an attester`) });
  return null;
}

/** Groups attesters by outcome; each counts once, however often it answers. */
class Agreements {
  private readonly byClaim = new Map<string, Map<Address, Attestation>>();

  constructor(private readonly threshold: number) {}

  /** Adds an attestation and returns the quorum's, if it is reached. */
  add(attestation: Attestation): CollectedAttestation | null {
    const { outcome, filler, attester } = attestation;
    const claim = `${outcome} ${filler.toLowerCase()}`;
    const agreeing = this.byClaim.get(claim) ?? new Map<Address, Attestation>();
    this.byClaim.set(claim, agreeing.set(attester, attestation));
    if (agreeing.size < this.threshold) return null;
    return { outcome, filler, signatures: orderedSignatures([...agreeing.values()]) };
  }
}
