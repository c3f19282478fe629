import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RouteFailure } from '../routes/route-failure.js';
import { RememberedAnswers } from './remembered-answers.js';

const LIFE_MS = 1_000;

describe('RememberedAnswers', () => {
  let now: number;
  let asked: string[];
  /** What each party does when it is asked next. */
  let answers: Record<string, () => Promise<string>>;
  let remembered: RememberedAnswers<string>;

  beforeEach(() => {
    now = 1_700_000_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    asked = [];
    answers = { one: async () => 'a', two: async () => 'b' };
    remembered = new RememberedAnswers({
      ask: async (name) => {
        asked.push(name);
        return (answers[name] ?? (() => Promise.reject(new Error('nobody'))))();
      },
      toFailure: (name) => new RouteFailure([name], []),
      lifeMs: LIFE_MS,
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** An answer that comes when it is told to. */
  const holdBack = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    answers[name] = () => promise;
    return { answer: resolve, fail: () => reject(new Error('down')) };
  };
  const atHand = async (names: string[]) => (await remembered.atHand(names)).answers;

  it('asks those who are wanted, once while their answers live', async () => {
    expect((await remembered.current(['one'])).answers).toEqual(['a']);
    now += LIFE_MS;
    expect((await remembered.current(['one', 'two'])).answers).toEqual(['a', 'b']);
    expect(asked).toEqual(['one', 'two']);
  });

  it('gives all that is remembered, whoever is wanted', async () => {
    await remembered.current(['one']);
    expect((await remembered.current([])).answers).toEqual(['a']);
  });

  it('asks once, however many wait', async () => {
    await Promise.all([remembered.current(['one']), remembered.current(['one'])]);
    expect(asked).toEqual(['one']);
  });

  it('uses an old answer while it asks for a new one, and tells when that is there', async () => {
    await remembered.current(['one']);
    now += LIFE_MS + 1;
    const { answer } = holdBack('one');
    expect((await remembered.current(['one'])).answers).toEqual(['a']);
    answer('new');
    await remembered.ask('one');
    expect(asked).toEqual(['one', 'one']);
    expect((await remembered.current(['one'])).answers).toEqual(['new']);
  });

  it('gives the very same list until anybody answers something else', async () => {
    const { answers: first } = await remembered.current(['one', 'two']);
    now += LIFE_MS + 1;
    await Promise.all([remembered.ask('one'), remembered.ask('two')]);
    expect(asked).toHaveLength(4);
    expect((await remembered.current(['one', 'two'])).answers).toBe(first);
    answers['two'] = async () => 'new';
    await remembered.ask('two');
    expect((await remembered.current(['one', 'two'])).answers).toEqual(['a', 'new']);
    expect(first).toEqual(['a', 'b']);
  });

  describe('at hand', () => {
    it('waits for an answer, but not for whoever gave none before', async () => {
      answers['two'] = () => Promise.reject(new Error('down'));
      expect(await atHand(['one', 'two'])).toEqual(['a']);
      answers['two'] = () => new Promise(() => undefined);
      now += LIFE_MS;
      expect(await atHand(['one', 'two'])).toEqual(['a']);
      expect(asked).toEqual(['one', 'two', 'two']);
    });

    it('leaves out who gave no answer twice in a row, until there is one', async () => {
      await remembered.atHand(['one', 'two']);
      answers['one'] = () => Promise.reject(new Error('down'));
      await expect(remembered.ask('one')).rejects.toThrow();
      expect(await atHand([])).toEqual(['a', 'b']);
      await expect(remembered.ask('one')).rejects.toThrow();
      expect(await atHand([])).toEqual(['b']);
      answers['one'] = async () => 'a';
      await remembered.ask('one');
      expect(await atHand([])).toEqual(['a', 'b']);
    });

    it('names those who are left, and tells whoever waits for the others, too', async () => {
      const { names } = await remembered.atHand(['one', 'two']);
      expect([...names]).toEqual(['one', 'two']);
      answers['one'] = () => Promise.reject(new Error('down'));
      for (const _ of [1, 2]) await expect(remembered.ask('one')).rejects.toThrow();
      const { answers: known, speaking } = await remembered.current(['two']);
      expect(known).toEqual(['a', 'b']);
      expect([...speaking]).toEqual(['two']);
      expect((await remembered.atHand(['two'])).names).toBe(speaking);
    });

    it('leaves out at once who is doubted and gives no answer to this question either', async () => {
      await remembered.atHand(['one', 'two']);
      const { fail } = holdBack('one');
      remembered.doubt('one');
      expect(await atHand([])).toEqual(['a', 'b']);
      now += 1;
      fail();
      await expect(remembered.ask('one')).rejects.toThrow();
      expect(await atHand([])).toEqual(['b']);
      // Not at once again.
      remembered.doubt('one');
      expect(asked).toEqual(['one', 'two', 'one']);
    });

    it('keeps who is doubted by many, but answers', async () => {
      await remembered.atHand(['one', 'two']);
      const { answer } = holdBack('one');
      for (const _ of [1, 2, 3]) remembered.doubt('one');
      expect(asked).toEqual(['one', 'two', 'one']);
      answer('a');
      await remembered.ask('one');
      remembered.doubt('one');
      expect(await atHand([])).toEqual(['a', 'b']);
    });

    it('asks those who fell silent again while their answers live', async () => {
      await remembered.atHand(['one']);
      const { fail } = holdBack('one');
      remembered.doubt('one');
      fail();
      await expect(remembered.ask('one')).rejects.toThrow();
      const { answer } = holdBack('one');
      expect(await atHand(['one'])).toEqual([]);
      answer('back');
      await remembered.ask('one');
      expect(await atHand(['one'])).toEqual(['back']);
      expect(asked).toEqual(['one', 'one', 'one']);
    });

    it('finds who answers again', async () => {
      answers['one'] = () => Promise.reject(new Error('down'));
      expect(await atHand(['one'])).toEqual([]);
      answers['one'] = async () => 'back';
      await remembered.ask('one');
      expect(await atHand(['one'])).toEqual(['back']);
    });

    it('waits again after a long silence of those who ask', async () => {
      await remembered.atHand(['one']);
      answers['one'] = async () => 'new';
      now += LIFE_MS * 10 + 1;
      expect(await atHand(['one'])).toEqual(['new']);
    });
  });

  describe('when the question has changed', () => {
    let isOutdated: boolean;
    beforeEach(() => {
      isOutdated = false;
      remembered = new RememberedAnswers({
        ask: async (name) => {
          asked.push(name);
          return (answers[name] ?? (() => Promise.reject(new Error('nobody'))))();
        },
        toFailure: (name) => new RouteFailure([name], []),
        lifeMs: LIFE_MS,
        isOutdated: (_, answer) => isOutdated && answer === 'a',
      });
    });

    it('asks again at once, and waits for the new answer', async () => {
      await remembered.current(['one']);
      isOutdated = true;
      answers['one'] = async () => 'new';
      expect((await remembered.current(['one'])).answers).toEqual(['new']);
      expect(asked).toEqual(['one', 'one']);
    });

    it('asks again at once at hand, too, but does not wait', async () => {
      await remembered.atHand(['one']);
      isOutdated = true;
      const { answer } = holdBack('one');
      expect(await atHand(['one'])).toEqual(['a']);
      expect(asked).toEqual(['one', 'one']);
      answer('new');
      await remembered.ask('one');
      expect(await atHand(['one'])).toEqual(['new']);
    });

    it('lives on the old answer while there is none', async () => {
      await remembered.current(['one']);
      isOutdated = true;
      answers['one'] = () => Promise.reject(new Error('down'));
      expect(await remembered.current(['one'])).toMatchObject({ answers: ['a'], failures: [] });
    });
  });

  it('lives on an old answer while there is no new one, but not for ever', async () => {
    await remembered.current(['one']);
    answers['one'] = () => Promise.reject(new Error('down'));
    now += LIFE_MS * 10;
    expect(await remembered.current(['one'])).toMatchObject({ answers: ['a'], failures: [] });
    now += 1;
    const { answers: left, failures } = await remembered.current(['one', 'two']);
    expect(left).toEqual(['b']);
    expect(failures.map(({ failure }) => failure.serviceIds)).toEqual([['one']]);
  });

  it('reports who does not answer beside what the others say', async () => {
    const { answers: given, failures } = await remembered.current(['nobody', 'two']);
    expect(given).toEqual(['b']);
    expect(failures.map(({ failure }) => failure.serviceIds)).toEqual([['nobody']]);
  });
});
