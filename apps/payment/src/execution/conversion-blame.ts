import { ZERO_ADDRESS } from '@bascule/chain';
import type { Leg as DeclaredLeg } from '@bascule/solidity';

/** Largest price move between quote and block; a sandwich beyond it reverts. */
const PRICE_MOVE_BPS = 50n;
const BPS = 10_000n;

/** Least output that a conversion accepts in its block, where the declaration demands no more. */
export const leastOutput = (quoted: bigint): bigint => (quoted * (BPS - PRICE_MOVE_BPS)) / BPS;

type Blamed = Pick<DeclaredLeg, 'bridgeAdapter' | 'customCalls' | 'minOutput' | 'outputToken'>;

/**
 * Whether too little output in a leg's simulation shows that the quote was false. Custom calls can fail by themselves, a
 * recipient of native currency can refuse it, and a declared minimum can be close to the price.
 */
export const isQuoteRefuted = (declared: Blamed, quoted: bigint): boolean =>
  declared.customCalls.length === 0 &&
  declared.outputToken !== ZERO_ADDRESS &&
  leastOutput(quoted) > declared.minOutput;

/** Whether a revert of a leg's transaction is the conversion's: a bridge can revert as well. */
export const isRevertOfConversion = (declared: Blamed, quoted: bigint): boolean =>
  isQuoteRefuted(declared, quoted) && declared.bridgeAdapter === ZERO_ADDRESS;
