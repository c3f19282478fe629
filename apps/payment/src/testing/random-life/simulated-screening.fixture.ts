import type { Sender } from './life-cycle-model.fixture.js';

/** Screening source whose list and availability change at any time. */
export class SimulatedScreening {
  isAvailable = true;
  readonly listed = new Set<Sender>();
  /** Senders that an answer has named as sanctioned, and those that one has cleared. */
  readonly hit = new Set<Sender>();
  readonly cleared = new Set<Sender>();
  readonly latest = new Map<Sender, boolean>();

  setListed(sender: Sender, isListed: boolean): void {
    if (isListed) this.listed.add(sender);
    else this.listed.delete(sender);
  }

  /** Null without an answer. */
  ask(sender: Sender): boolean | null {
    if (!this.isAvailable) return null;
    const isListed = this.listed.has(sender);
    (isListed ? this.hit : this.cleared).add(sender);
    this.latest.set(sender, isListed);
    return isListed;
  }
}
