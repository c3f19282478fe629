import { setImmediate } from 'node:timers/promises';
import type { ParkedEventsRepository } from '../parked/parked-events.repository.js';

interface Question {
  keys: Set<string>;
  answer: Promise<string[]>;
}

/** Combines the lookups of batches that arrive together into one query. */
export class ParkedKeyLookup {
  private readonly next = new Map<string, Question>();

  constructor(private readonly parked: Pick<ParkedEventsRepository, 'parkedKeys'>) {}

  /** Returns at least the given keys with parked events, possibly keys of concurrent lookups too. */
  among(topic: string, keys: readonly string[]): Promise<string[]> {
    const question = this.next.get(topic) ?? this.begin(topic);
    for (const key of keys) question.keys.add(key);
    return question.answer;
  }

  private begin(topic: string): Question {
    const keys = new Set<string>();
    const question = { keys, answer: this.ask(topic, keys) };
    this.next.set(topic, question);
    return question;
  }

  private async ask(topic: string, keys: ReadonlySet<string>): Promise<string[]> {
    await setImmediate();
    this.next.delete(topic);
    return this.parked.parkedKeys(topic, [...keys]);
  }
}
