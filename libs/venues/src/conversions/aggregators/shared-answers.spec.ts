import { describe, expect, it } from '@jest/globals';
import { SharedAnswers } from './shared-answers.js';

const DAY_MS = 86_400_000;

describe('SharedAnswers', () => {
  it('asks a question once, at the same time and within the time to live', async () => {
    const answers = new SharedAnswers<number>(DAY_MS);
    let asked = 0;
    const ask = async () => (asked += 1);
    const first = await Promise.all([1, 2, 3].map(() => answers.get('one', ask)));
    expect([...first, await answers.get('one', ask)]).toEqual([1, 1, 1, 1]);
    expect(await answers.get('another', ask)).toBe(2);
  });

  it('shares a failure with those who wait for it, and keeps none', async () => {
    const answers = new SharedAnswers<number>(DAY_MS);
    const failing = () => Promise.reject(new Error('down'));
    const waiting = [answers.get('one', failing), answers.get('one', async () => 1)];
    for (const one of waiting) await expect(one).rejects.toThrow('down');
    expect(await answers.get('one', async () => 2)).toBe(2);
  });
});
