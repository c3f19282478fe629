import type { Chain } from '@bascule/chain';
import { attesterOracleAbi } from '@bascule/solidity';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { fixedAnswer } from './fixed-answer.js';
import type { FixedAnswer } from './fixed-answer.js';

/** Oracles and signers that are kept; a lying attester may invent any number of signers. */
const CAPACITY = 10_000;

const thresholds = new LRUCache<string, FixedAnswer<bigint>>({ max: CAPACITY });
const attesters = new LRUCache<string, FixedAnswer<boolean>>({ max: CAPACITY });

/**
 * Returns the oracle's quorum; cached once two nodes tell it alike.
 * @throws when nodes disagree, or none answers
 */
export const thresholdOf = (chain: Chain, oracle: Address): Promise<FixedAnswer<bigint>> =>
  cached(thresholds, keyOf(chain, oracle), () =>
    fixedAnswer(chain, 'the quorum of attesters', (node) =>
      node.readContract({ address: oracle, abi: attesterOracleAbi, functionName: 'threshold' }),
    ),
  );

/**
 * Returns whether the signer is one of the oracle's attesters; cached once two nodes tell it alike.
 * @throws when nodes disagree, or none answers
 */
export const isAttesterOf = (
  chain: Chain,
  oracle: Address,
  signer: Address,
): Promise<FixedAnswer<boolean>> =>
  cached(attesters, `${keyOf(chain, oracle)} ${signer.toLowerCase()}`, () =>
    fixedAnswer(chain, `the attester ${signer}`, (node) =>
      node.readContract({
        address: oracle,
        abi: attesterOracleAbi,
        functionName: 'isAttester',
        args: [signer],
      }),
    ),
  );

async function cached<T>(
  cache: LRUCache<string, FixedAnswer<T>>,
  key: string,
  read: () => Promise<FixedAnswer<T>>,
): Promise<FixedAnswer<T>> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const told = await read();
  if (told.isWitnessed) cache.set(key, told);
  return told;
}

const keyOf = ({ name }: Chain, oracle: Address): string => `${name} ${oracle.toLowerCase()}`;
