import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TEST_OUTCOME_FACTS, TEST_OUTCOMES, testOutcomeOf } from './test-outcomes.js';

const PAGE = join(import.meta.dirname, '../../../../docs/test-mode.md');
const code = (text: string | null): string => (text === null ? 'none' : `\`${text}\``);

describe('the outcomes on demand', () => {
  it('are documented as they are', () => {
    const rows = readFileSync(PAGE, 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, name]) => TEST_OUTCOMES.some((outcome) => name === code(outcome)))
      .map((cells) => cells.slice(1, -1));
    expect(rows).toEqual(
      TEST_OUTCOMES.map((outcome) => {
        const { means, status, parked } = TEST_OUTCOME_FACTS[outcome];
        return [code(outcome), means, code(status), code(parked)];
      }),
    );
  });

  it('state the windows that they set', () => {
    for (const { means, fundingSeconds } of Object.values(TEST_OUTCOME_FACTS)) {
      expect(means.includes(`The funding window is ${fundingSeconds} s`)).toBe(
        fundingSeconds !== null,
      );
    }
  });

  it('have no facts for a request without one', () => {
    expect(testOutcomeOf({})).toBeUndefined();
    expect(testOutcomeOf({ test_outcome: 'SLIPS' })).toBe(TEST_OUTCOME_FACTS.SLIPS);
  });
});
