import type { EventEnvelope } from '@bascule/contracts';
import { aFact, aTopic, type FactData, useKafka, versions } from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';

const KEYS = 25;
const VERSIONS = 10;
const POISON = { key: 'key-7', version: 5 };
const HOUR_MS = 3_600_000;

type Fact = EventEnvelope<string, FactData>;

describe('failure 6: a poison message blocks its partition forever', () => {
  const { dataSource, start, create, publish, count } = useKafka();

  /** Makes events due whose retry is an hour away; leases of running attempts are shorter. */
  const expireDelays = () =>
    dataSource().query(
      `UPDATE parked_events SET due_at = clock_timestamp()
       WHERE due_at > clock_timestamp() + interval '30 minutes'`,
    );

  // Protection: an error of a handler parks the event instead of blocking its partition (EventProcessor.park), its
  // key queues behind it (EventProcessor.isQueuedBehindParked), attempts are bounded (nextDelayMs in parked/).
  it('parks it while the other keys are handled, then dead-letters it and handles the rest of its key in order', async () => {
    const topic = aTopic(4);
    await create(topic);
    const handledOf = new Map<string, number[]>();
    const attempts: { version: number; after: number[] }[] = [];
    await start({
      retryDelaysMs: [HOUR_MS, HOUR_MS],
      handlers: {
        [topic.name]: ({ subject, data: { version } }: Fact): Promise<void> => {
          const before = handledOf.get(subject) ?? [];
          if (subject === POISON.key && version === POISON.version) {
            attempts.push({ version, after: before });
            return Promise.reject(new Error('no such leg'));
          }
          handledOf.set(subject, [...before, version]);
          return Promise.resolve();
        },
      },
    });
    const keys = versions(KEYS).map((key) => `key-${key}`);
    for (const version of versions(VERSIONS)) {
      await publish(topic, ...keys.map((key) => aFact(topic, key, version)));
    }

    const behind = VERSIONS - POISON.version;
    await eventually(async () => {
      expect(await count('parked_events')).toBe(1 + behind);
      for (const key of keys) {
        expect([key, handledOf.get(key)]).toEqual([
          key,
          versions(key === POISON.key ? POISON.version - 1 : VERSIONS),
        ]);
      }
    });
    expect(attempts).toHaveLength(1);

    await eventually(async () => {
      await expireDelays();
      expect(await count('parked_events')).toBe(0);
    });
    expect(handledOf.get(POISON.key)).toEqual(
      versions(VERSIONS).filter((version) => version !== POISON.version),
    );
    // No event of its key overtook it, not even at its last attempt.
    const after = versions(POISON.version - 1);
    expect(attempts).toEqual(versions(3).map(() => ({ version: POISON.version, after })));
    expect(
      await dataSource().query('SELECT key, attempts, reason FROM dead_letters WHERE topic = $1', [
        topic.name,
      ]),
    ).toEqual([{ key: POISON.key, attempts: 3, reason: 'Error: no such leg' }]);
  });
});
