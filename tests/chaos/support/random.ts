import { seededNumbers } from '@bascule/testing';

/** Draws that look random and are the same for the same seed. */
export class Random {
  /** Number from 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededNumbers(seed);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Integer from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.whole(0, list.length - 1)];
    if (picked === undefined) throw new Error('the list to pick from is empty');
    return picked;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, order: this.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  }

  /** Returns a generator that later draws of this one do not affect. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}
