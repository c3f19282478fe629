import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import type { FaucetChain } from '../client/faucet-chain.js';
import { causeOf } from '../client/retrying-api.js';
import { SCENARIOS, type Scenario } from './scenarios.js';
import type { Organisation } from '../client/organisations.js';
import { newTestPayment, type TestPayment } from './test-payment.js';
import { PriceRise } from './price-rise.js';

export interface WorkloadOptions {
  chains: readonly FaucetChain[];
  /** One of the chains. */
  risingPrices: FaucetChain;
  organisations: readonly Organisation[];
  random: Random;
}

export interface Round {
  payments: number;
  startsPerSecond: number;
  /** Whether the next payment may start, given the number of started ones. */
  mayStart?: (begun: number) => boolean;
  /** Starts further payments while this is true, a few at a time. */
  isNeeded?: () => boolean;
}

/** Limit of payments in flight, so that a slow machine is not overloaded. */
const MAX_OPEN = 70;
const MAX_OPEN_EXTRAS = 20;
const POLL_MS = 50;
const SHARES = SCENARIOS.reduce((sum, { share }) => sum + share, 0);

/** Runs payments of all scenarios concurrently and records their expected outcomes. */
export class Workload {
  readonly payments: TestPayment[] = [];
  readonly #options: WorkloadOptions;
  readonly #open = new Set<TestPayment>();

  constructor(options: WorkloadOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open.size;
  }

  async run({ payments, startsPerSecond, ...round }: Round): Promise<void> {
    const { mayStart: mayBegin = () => true, isNeeded = () => false } = round;
    const { random, risingPrices } = this.#options;
    const kinds = planRound(payments, random);
    const rising = kinds.filter(({ onRisingPrices }) => onRisingPrices);
    const prices = new PriceRise(risingPrices, rising.length);
    const running: Promise<unknown>[] = [];
    for (const [begun, kind] of kinds.entries()) {
      while (!mayBegin(begun) || this.#open.size >= MAX_OPEN) await delay(POLL_MS);
      running.push(this.#runScenario(kind, prices));
      await delay(1_000 / startsPerSecond);
    }
    const extras = SCENARIOS.filter(({ isSlow }) => !isSlow);
    while (isNeeded()) {
      if (this.#open.size < MAX_OPEN_EXTRAS)
        running.push(this.#runScenario(random.pick(extras), prices));
      await delay(1_000 / startsPerSecond);
    }
    await Promise.all(running);
    await prices.restore();
  }

  /** Runs one payment outside of all rounds; returns when it has ended. */
  async runOne(name: string): Promise<TestPayment> {
    const kind = SCENARIOS.find((each) => each.name === name);
    if (!kind) throw new Error(`unknown scenario: ${name}`);
    return this.#runScenario(kind, new PriceRise(this.#options.risingPrices, 0));
  }

  async #runScenario(kind: Scenario, prices: PriceRise): Promise<TestPayment> {
    const { random, chains, risingPrices, organisations } = this.#options;
    const own = random.fork();
    const chain = kind.onRisingPrices ? risingPrices : own.pick(chains);
    const organisation = own.pick(organisations);
    const first = this.#add(
      newTestPayment({ scenario: kind.name, random: own, chain, organisation }),
    );
    const started = [first];
    const add = (payment: TestPayment): void => {
      started.push(this.#add(payment));
    };
    try {
      await kind.run(first, { chains, prices, add });
    } catch (error) {
      first.problem = causeOf(error);
    } finally {
      for (const payment of started) this.#end(payment);
    }
    return first;
  }

  #end(payment: TestPayment): void {
    payment.endedAt = Date.now();
    this.#open.delete(payment);
  }

  #add(payment: TestPayment): TestPayment {
    this.payments.push(payment);
    this.#open.add(payment);
    return payment;
  }
}

/**
 * Returns as many of each kind as its share, at least one: the slow ones first, then one of each other kind and
 * the rest, in an order of chance.
 */
export function planRound(payments: number, random: Random): Scenario[] {
  const counted = SCENARIOS.map((kind) => ({
    kind,
    count: Math.max(1, Math.round((kind.share * payments) / SHARES)),
  }));
  const slow = counted.filter(({ kind }) => kind.isSlow);
  const others = counted.filter(({ kind }) => !kind.isSlow);
  const first = others.map(({ kind }) => kind);
  const rest = others.flatMap(({ kind, count }) => Array<Scenario>(count - 1).fill(kind));
  const all = [
    ...random.shuffled(slow.flatMap(({ kind, count }) => Array<Scenario>(count).fill(kind))),
    ...random.shuffled(first),
    ...random.shuffled(rest),
  ];
  return all.slice(0, Math.max(payments, SCENARIOS.length));
}
