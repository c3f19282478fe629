import { jest } from '@jest/globals';

/** Clock that stands still but for what passes: answers of attesters stay the same for the time of a block. */
export class PassingClock {
  private nowMs = 1_000_000;

  /** Replaces the process's monotonic clock; `jest.restoreAllMocks` ends it. */
  constructor() {
    jest.spyOn(performance, 'now').mockImplementation(() => this.nowMs);
  }

  pass(ms: number): void {
    this.nowMs += ms;
  }
}
