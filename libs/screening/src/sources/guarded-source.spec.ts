import { describe, expect, it } from '@jest/globals';
import { numberToHex } from 'viem';
import type { Address } from 'viem';
import type { ScreeningSource, Verdicts } from '../screening-source.js';
import { GuardedSource } from './guarded-source.js';

const address = (number: number): Address => numberToHex(number, { size: 20 });
const LIMITS = { timeoutMs: 60_000, cacheMs: 60_000 };

/** A source in memory that records what it is asked. */
class ListSource implements ScreeningSource {
  readonly name = 'list';
  readonly questions: (readonly Address[])[] = [];
  readonly sanctioned = new Set<Address>();
  readonly unanswered = new Set<Address>();
  isAvailable = true;

  constructor(readonly isRemote: boolean) {}

  screen(addresses: readonly Address[]): Promise<Verdicts> {
    this.questions.push(addresses);
    if (!this.isAvailable) return Promise.reject(new Error('down'));
    const of = (list: ReadonlySet<Address>) => new Set(addresses.filter((it) => list.has(it)));
    return Promise.resolve({ sanctioned: of(this.sanctioned), unanswered: of(this.unanswered) });
  }
}

describe('GuardedSource', () => {
  it('asks once about an address, and answers from the cache while the source is down', async () => {
    const list = new ListSource(true);
    list.sanctioned.add(address(2));
    const source = new GuardedSource(list, LIMITS);
    await source.answersAbout([address(1), address(2)]);
    list.isAvailable = false;
    const { isSanctioned, fresh, failure } = await source.answersAbout([1, 2, 3].map(address));
    expect([...isSanctioned]).toEqual([
      [address(1), false],
      [address(2), true],
    ]);
    expect([fresh, failure]).toEqual([0, new Error('down')]);
    expect(list.questions).toEqual([[address(1), address(2)], [address(3)]]);
  });

  it('answers about the others where it has no verdict about an address, which it asks about again', async () => {
    const list = new ListSource(true);
    list.unanswered.add(address(2));
    const source = new GuardedSource(list, LIMITS);
    // More questions than failures after which a source is not asked.
    for (let call = 0; call < 10; call += 1) {
      const { isSanctioned, failure } = await source.answersAbout([address(1), address(2)]);
      expect([...isSanctioned]).toEqual([[address(1), false]]);
      expect(failure).toEqual(new Error('list has no verdict about 1 addresses'));
    }
    list.unanswered.clear();
    const { isSanctioned, failure } = await source.answersAbout([address(2)]);
    expect([[...isSanctioned], failure]).toEqual([[[address(2), false]], undefined]);
  });

  it('asks a local list each time, also after failures', async () => {
    const list = new ListSource(false);
    const source = new GuardedSource(list, LIMITS);
    expect((await source.answersAbout([address(1)])).isSanctioned.get(address(1))).toBe(false);
    list.isAvailable = false;
    for (let call = 0; call < 20; call += 1) await source.answersAbout([address(1)]);
    list.isAvailable = true;
    list.sanctioned.add(address(1));
    expect((await source.answersAbout([address(1)])).isSanctioned.get(address(1))).toBe(true);
  });

  it('asks about a hundred addresses at once', async () => {
    const list = new ListSource(true);
    const addresses = Array.from({ length: 250 }, (_, index) => address(index + 1));
    const { isSanctioned } = await new GuardedSource(list, LIMITS).answersAbout(addresses);
    expect(isSanctioned.size).toBe(250);
    expect(list.questions.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('makes no call after five failures', async () => {
    const list = new ListSource(true);
    list.isAvailable = false;
    const source = new GuardedSource(list, LIMITS);
    for (let call = 0; call < 6; call += 1) await source.answersAbout([address(1)]);
    expect(list.questions).toHaveLength(5);
  });
});
