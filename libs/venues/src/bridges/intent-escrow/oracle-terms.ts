import type { Chain } from '@bascule/chain';
import { attesterOracleAbi } from '@bascule/solidity';
import type { Address } from 'viem';
import { FixedAnswers } from './fixed-answers.js';
import type { FixedAnswer } from './fixed-answers.js';

const thresholds = new FixedAnswers<bigint>();
const attesters = new FixedAnswers<boolean>();

/**
 * Returns the oracle's quorum.
 * @throws when nodes disagree, or none answers
 */
export const thresholdOf = (chain: Chain, oracle: Address): Promise<FixedAnswer<bigint>> =>
  thresholds.get(chain, {
    key: oracle.toLowerCase(),
    what: 'the quorum of attesters',
    read: (node) =>
      node.readContract({ address: oracle, abi: attesterOracleAbi, functionName: 'threshold' }),
  });

/**
 * Returns whether the signer is one of the oracle's attesters.
 * @throws when nodes disagree, or none answers
 */
export const isAttesterOf = (
  chain: Chain,
  oracle: Address,
  signer: Address,
): Promise<FixedAnswer<boolean>> =>
  attesters.get(chain, {
    key: `${oracle} ${signer}`.toLowerCase(),
    what: `the attester ${signer}`,
    read: (node) =>
      node.readContract({
        address: oracle,
        abi: attesterOracleAbi,
        functionName: 'isAttester',
        args: [signer],
      }),
  });
