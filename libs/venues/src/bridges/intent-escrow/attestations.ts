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

/** The environment of a service that submits what attesters have signed. */
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
  /** The order's origin, where its oracle is. */
  chain: Chain;
  signal?: AbortSignal;
  /** Told of every answer that does not count, and why. */
  leftOut?: (answer: { url: string; reason: unknown }) => void;
}

/** What enough attesters have signed: the arguments of the oracle's `attest`. */
export interface CollectedAttestation {
  outcome: FillOutcome;
  /** Zero when the order was not filled. */
  filler: Address;
  signatures: Hex[];
}

/**
 * Asks all attesters at once and waits no longer than until enough of them agree. Null when they do not, yet.
 * @throws when the oracle cannot be read, or the signal is aborted; attesters may do what they like
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
      const attestation = await countable(url, question, stop);
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

/** Null when the answer does not count. */
async function countable(
  url: string,
  { order, escrow, chain, leftOut }: AttestationQuestion,
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
    if (!signal.aborted) leftOut?.({ url, reason });
    return null;
  }
  const isAttester = await chain.client.readContract({
    address: order.oracle,
    abi: attesterOracleAbi,
    functionName: 'isAttester',
    args: [attestation.attester],
  });
  if (isAttester) return attestation;
  leftOut?.({ url, reason: new Error(`${attestation.attester} is not an attester`) });
  return null;
}

/** Attesters by what they say; each counts once, however often it answers. */
class Agreements {
  private readonly byClaim = new Map<string, Map<Address, Attestation>>();

  constructor(private readonly threshold: number) {}

  /** What enough of them say, now that this one says it too. */
  add(attestation: Attestation): CollectedAttestation | null {
    const { outcome, filler, attester } = attestation;
    const claim = `${outcome} ${filler.toLowerCase()}`;
    const agreeing = this.byClaim.get(claim) ?? new Map<Address, Attestation>();
    this.byClaim.set(claim, agreeing.set(attester, attestation));
    if (agreeing.size < this.threshold) return null;
    return { outcome, filler, signatures: orderedSignatures([...agreeing.values()]) };
  }
}
