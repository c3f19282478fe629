import type { Chain } from './chain.js';

/** Number of nodes that decide irreversibly: more than half of the configured ones. */
export const majorityOf = ({ endpoints }: Pick<Chain, 'endpoints'>): number =>
  Math.floor(endpoints.length / 2) + 1;

/**
 * Finds the answer that so many nodes gave alike.
 * @param keyOf names an answer: two answers are equal when their names are
 */
export function answerOf<T>(
  witnesses: number,
  answers: readonly T[],
  keyOf: (answer: T) => string,
): T | undefined {
  const keys = answers.map(keyOf);
  return answers.find((_, index) => {
    const alike = keys.filter((key) => key === keys[index]);
    return alike.length >= witnesses;
  });
}
