import type { Chain } from '@bascule/chain';
import { makeValidator } from '@bascule/process';
import { type Order, orderId, serializeOrder } from '@bascule/solidity';
import type { Address } from 'viem';
import { agreementsOf, type CollectedAttestation } from './agreements.js';
import { type AttestedOrder, type Attestation, readAttestation } from './attestation-answer.js';
import { askAttester } from './attester.client.js';
import { isAttesterOf, thresholdOf } from './oracle-terms.js';

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
 * @throws without a quorum where nodes disagree about the oracle or the signal is aborted; failures of attesters are ignored
 */
export async function collectAttestation(
  question: AttestationQuestion,
): Promise<CollectedAttestation | null> {
  const { urls, order, signal } = question;
  const { answer: threshold } = await thresholdOf(question.chain, order.oracle);
  const attested = attestedOrder(question);
  const agreements = agreementsOf(attested);
  const enough = new AbortController();
  const stop = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal;

  const collected = await new Promise<CollectedAttestation | null>((resolve, reject) => {
    const answers = urls.map(async (url) => {
      const valid = await validAttestation(url, question, attested, stop);
      const agreed =
        valid && agreements.add(valid.attestation, valid.isWitnessed, Number(threshold));
      if (!agreed) return;
      resolve(agreed);
      enough.abort();
    });
    // Nodes that disagree about one signer stop no quorum of the others.
    void Promise.allSettled(answers).then(() =>
      Promise.all(answers).then(() => resolve(null), reject),
    );
  });
  if (!collected) signal?.throwIfAborted();
  return collected;
}

interface ValidAttestation {
  attestation: Attestation;
  /** Whether two nodes, or the only one, confirm the attester. */
  isWitnessed: boolean;
}

/** Returns an attester's valid answer; null for any other. */
async function validAttestation(
  url: string,
  { order, escrow, chain, onIgnored }: AttestationQuestion,
  attested: AttestedOrder,
  signal: AbortSignal,
): Promise<ValidAttestation | null> {
  let attestation: Attestation;
  try {
    const answer = await askAttester(url, { escrow, order: serializeOrder(order) }, signal);
    attestation = await readAttestation(answer, attested);
  } catch (reason) {
    if (!signal.aborted) onIgnored?.({ url, reason });
    return null;
  }
  const { attester } = attestation;
  const { answer: isAttester, isWitnessed } = await isAttesterOf(chain, order.oracle, attester);
  if (isAttester) return { attestation, isWitnessed };
  onIgnored?.({ url, reason: new Error(`${attester} is not an attester`) });
  return null;
}

const attestedOrder = ({ order, escrow }: AttestationQuestion): AttestedOrder => ({
  orderId: orderId(order, escrow),
  chainId: order.originChainId,
  oracle: order.oracle,
});
