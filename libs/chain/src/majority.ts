import type { Chain } from './chain.js';
import { countAlike, decisive } from './witnesses.js';

/** Number of nodes that decide irreversibly: more than half of the configured ones. */
export const majorityOf = ({ endpoints }: Pick<Chain, 'endpoints'>): number =>
  Math.floor(endpoints.length / 2) + 1;

/**
 * Finds the only answer that so many nodes gave alike.
 * @param keyOf names an answer: two answers are equal when their names are
 */
export const answerOf = <T>(
  needed: number,
  answers: readonly T[],
  keyOf: (answer: T) => string,
): T | undefined => decisive(needed, countAlike(answers, keyOf))?.answer;
