import { say } from './commands.mjs';

/**
 * Runs steps, each once, after those it needs.
 *
 * A step has a `name`, a function `run` that returns how many checks passed and failed, or why there were none (`notRun`),
 * and the steps that it `needs`.
 */
export class Runner {
  #outcomes = new Map();
  #report;

  /** @param report takes each line about a step */
  constructor(report = say) {
    this.#report = report;
  }

  async inTurn(...steps) {
    for (const step of steps) await this.#once(step);
  }

  /** Each list in turn, all lists at the same time. */
  async sideBySide(...lists) {
    await Promise.all(lists.map((steps) => this.inTurn(...steps)));
  }

  async total() {
    const outcomes = await Promise.all(this.#outcomes.values());
    const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
    return { passed: sum('passed'), failed: sum('failed') };
  }

  /** Lists the outcome of each step, in the order of their start. */
  async summary() {
    const lines = [...this.#outcomes].map(async ([{ name }, outcome]) => {
      const { passed, failed, notRun, seconds } = await outcome;
      if (notRun !== undefined) return `${name}: ${notRun} (${seconds} s)`;
      return `${name}: ${passed} passed, ${failed} failed (${seconds} s)`;
    });
    return Promise.all(lines);
  }

  #once(step) {
    if (!this.#outcomes.has(step)) this.#outcomes.set(step, this.#run(step));
    return this.#outcomes.get(step);
  }

  async #run(step) {
    for (const needed of step.needs ?? []) await this.#once(needed);
    const started = Date.now();
    this.#report(step.name, 'started');
    const { passed, failed, notRun } = await this.#attempt(step);
    const seconds = Math.round((Date.now() - started) / 1000);
    const outcome = notRun ?? `${passed} of ${passed + failed} passed`;
    this.#report(step.name, `${outcome} (${seconds} s)`);
    return { passed, failed, notRun, seconds };
  }

  async #attempt(step) {
    try {
      return await step.run();
    } catch (error) {
      this.#report(step.name, error instanceof Error ? (error.stack ?? error.message) : `${error}`);
      return { passed: 0, failed: 1 };
    }
  }
}
