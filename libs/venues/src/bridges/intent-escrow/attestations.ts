import type { Chain } from '@bascule/chain';
import { makeValidator } from '@bascule/process';
import { attesterOracleAbi, type Order, orderId, serializeOrder } from '@bascule/solidity';
import type { Address } from 'viem';
import { agreementsOf, type CollectedAttestation } from './agreements.js';
import { type AttestedOrder, type Attestation, readAttestation } from './attestation-answer.js';
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

/**
 * Asks all attesters concurrently and returns as soon as a quorum agrees; null without a quorum. Signatures of earlier
 * rounds count, since attesters may not all answer at once.
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
  const attested = attestedOrder(question);
  const agreements = agreementsOf(attested);
  const enough = new AbortController();
  const stop = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal;

  const collected = await new Promise<CollectedAttestation | null>((resolve, reject) => {
    const answers = urls.map(async (url) => {
      const attestation = await validAttestation(url, question, attested, stop);
      const agreed = attestation && agreements.add(attestation, Number(threshold));
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
  attested: AttestedOrder,
  signal: AbortSignal,
): Promise<Attestation | null> {
  let attestation: Attestation;
  try {
    const answer = await askAttester(url, { escrow, order: serializeOrder(order) }, signal);
    attestation = await readAttestation(answer, attested);
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

const attestedOrder = ({ order, escrow }: AttestationQuestion): AttestedOrder => ({
  orderId: orderId(order, escrow),
  chainId: order.originChainId,
  oracle: order.oracle,
});
