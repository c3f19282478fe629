import { setImmediate } from 'node:timers/promises';
import type { ParkedEventsRepository } from '../parked/parked-events.repository.js';

interface PendingLookup {
  keys: Set<string>;
  result: Promise<string[]>;
}

/** Combines the lookups of batches that arrive together into one query. */
export class ParkedKeyLookup {
  private readonly next = new Map<string, PendingLookup>();

  constructor(private readonly parked: Pick<ParkedEventsRepository, 'parkedKeys'>) {}

  /** Returns at least the given keys with parked events, possibly keys of concurrent lookups too. */
  among(topic: string, keys: readonly string[]): Promise<string[]> {
    const lookup = this.next.get(topic) ?? this.start(topic);
    for (const key of keys) lookup.keys.add(key);
    return lookup.result;
  }

  private start(topic: string): PendingLookup {
    const keys = new Set<string>();
    const lookup = { keys, result: this.query(topic, keys) };
    this.next.set(topic, lookup);
    return lookup;
  }

  private async query(topic: string, keys: ReadonlySet<string>): Promise<string[]> {
    await setImmediate();
    this.next.delete(topic);
    return this.parked.parkedKeys(topic, [...keys]);
  }
}
