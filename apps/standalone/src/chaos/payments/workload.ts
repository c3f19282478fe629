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
  /** Payments go on being begun as long as this is so. */
  isNeeded?: () => boolean;
}

/** So many are under way at once at most, so that a slow machine is not asked for more than it can do. */
const OPEN_PLAYS = 70;
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

  async run({ payments, startsPerSecond, isNeeded = () => false }: Round): Promise<void> {
    const { random, risingPrices } = this.#theatre;
    const kinds = programme(payments, random);
    const rising = kinds.filter(({ onRisingPrices }) => onRisingPrices);
    const prices = new PriceRise(risingPrices, rising.length);
    const running: Promise<void>[] = [];
    const begin = (kind: Kind) => running.push(this.#play(kind, prices));
    for (const kind of kinds) {
      begin(kind);
      await this.#pause(startsPerSecond);
    }
    const encores = KINDS.filter(({ isSlow }) => !isSlow);
    while (isNeeded()) {
      begin(random.pick(encores));
      await this.#pause(startsPerSecond);
    }
    await Promise.all(running);
    await prices.restore();
  }

  async #pause(startsPerSecond: number): Promise<void> {
    await delay(1_000 / startsPerSecond);
    while (this.#open.size >= OPEN_PLAYS) await delay(50);
  }

  async #play(kind: Kind, prices: PriceRise): Promise<void> {
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
      await kind.play(first, { prices, add });
    } catch (error) {
      first.problem = causeOf(error);
    } finally {
      for (const play of cast) this.#open.delete(play);
    }
  }

  #add(play: Play): Play {
    this.plays.push(play);
    this.#open.add(play);
    return play;
  }
}

/** As many of each kind as their shares say, the slow ones first, the others in an order of chance. */
function programme(payments: number, random: Random): Kind[] {
  const wanted = KINDS.flatMap((kind) =>
    Array.from({ length: Math.max(1, Math.round((kind.share * payments) / SHARES)) }, () => kind),
  );
  const slow = wanted.filter(({ isSlow }) => isSlow);
  const others = random.shuffled(wanted.filter(({ isSlow }) => !isSlow));
  return [...random.shuffled(slow), ...others].slice(0, Math.max(payments, KINDS.length));
}
