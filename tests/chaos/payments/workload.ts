import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { BusyChain } from './busy-chain.js';
import { causeOf } from './careful-api.js';
import { KINDS, type Kind } from './kinds.js';
import type { Organisation } from './organisations.js';
import { newPlay, type Play } from './play.js';
import { PriceRise } from './price-rise.js';

export interface Theatre {
  chains: readonly BusyChain[];
  /** One of the chains. */
  risingPrices: BusyChain;
  organisations: readonly Organisation[];
  random: Random;
}

export interface Round {
  payments: number;
  startsPerSecond: number;
  /** Whether the next payment, before which so many of the round have begun, may begin by now. */
  mayBegin?: (begun: number) => boolean;
  /** Payments go on being begun as long as this is so, but never more than a few at a time. */
  isNeeded?: () => boolean;
}

/** So many are under way at once at most, so that a slow machine is not asked for more than it can do. */
const OPEN_PLAYS = 70;
const OPEN_ENCORES = 20;
const POLL_MS = 50;
const SHARES = KINDS.reduce((sum, { share }) => sum + share, 0);

/** Payments of all kinds, many at a time, and the record of what was promised to whom. */
export class Workload {
  readonly plays: Play[] = [];
  readonly #theatre: Theatre;
  readonly #open = new Set<Play>();

  constructor(theatre: Theatre) {
    this.#theatre = theatre;
  }

  get open(): number {
    return this.#open.size;
  }

  async run({ payments, startsPerSecond, ...round }: Round): Promise<void> {
    const { mayBegin = () => true, isNeeded = () => false } = round;
    const { random, risingPrices } = this.#theatre;
    const kinds = programme(payments, random);
    const rising = kinds.filter(({ onRisingPrices }) => onRisingPrices);
    const prices = new PriceRise(risingPrices, rising.length);
    const running: Promise<unknown>[] = [];
    for (const [begun, kind] of kinds.entries()) {
      while (!mayBegin(begun) || this.#open.size >= OPEN_PLAYS) await delay(POLL_MS);
      running.push(this.#play(kind, prices));
      await delay(1_000 / startsPerSecond);
    }
    const encores = KINDS.filter(({ isSlow }) => !isSlow);
    while (isNeeded()) {
      if (this.#open.size < OPEN_ENCORES) running.push(this.#play(random.pick(encores), prices));
      await delay(1_000 / startsPerSecond);
    }
    await Promise.all(running);
    await prices.restore();
  }

  /** One payment, apart from all rounds; returns when it has ended. */
  async perform(name: string): Promise<Play> {
    const kind = KINDS.find((each) => each.name === name);
    if (!kind) throw new Error(`there are no ${name} payments`);
    return this.#play(kind, new PriceRise(this.#theatre.risingPrices, 0));
  }

  async #play(kind: Kind, prices: PriceRise): Promise<Play> {
    const { random, chains, risingPrices, organisations } = this.#theatre;
    const own = random.fork();
    const chain = kind.onRisingPrices ? risingPrices : own.pick(chains);
    const organisation = own.pick(organisations);
    const first = this.#add(newPlay({ kind: kind.name, random: own, chain, organisation }));
    const cast = [first];
    const add = (play: Play): void => {
      cast.push(this.#add(play));
    };
    try {
      await kind.play(first, { chains, prices, add });
    } catch (error) {
      first.problem = causeOf(error);
    } finally {
      for (const play of cast) this.#end(play);
    }
    return first;
  }

  #end(play: Play): void {
    play.endedAt = Date.now();
    this.#open.delete(play);
  }

  #add(play: Play): Play {
    this.plays.push(play);
    this.#open.add(play);
    return play;
  }
}

/**
 * As many of each kind as their shares say, one of each at least: the slow ones first, then one of each other kind and
 * the rest, in an order of chance.
 */
export function programme(payments: number, random: Random): Kind[] {
  const counted = KINDS.map((kind) => ({
    kind,
    count: Math.max(1, Math.round((kind.share * payments) / SHARES)),
  }));
  const slow = counted.filter(({ kind }) => kind.isSlow);
  const others = counted.filter(({ kind }) => !kind.isSlow);
  const first = others.map(({ kind }) => kind);
  const rest = others.flatMap(({ kind, count }) => Array<Kind>(count - 1).fill(kind));
  const all = [
    ...random.shuffled(slow.flatMap(({ kind, count }) => Array<Kind>(count).fill(kind))),
    ...random.shuffled(first),
    ...random.shuffled(rest),
  ];
  return all.slice(0, Math.max(payments, KINDS.length));
}
