import type { EventEnvelope } from '@bascule/contracts';
import {
  aFact,
  aGroup,
  aTopic,
  type FactData,
  useKafka,
  versions,
} from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import type { Inbox } from '../inbox/inbox.js';

type Fact = EventEnvelope<string, FactData>;

describe('failure 7: premature commits', () => {
  const { dataSource, start, create, publish, committed, startProcess } = useKafka();

  const effects = async (): Promise<string[]> => {
    const rows: { fact: string }[] = await dataSource().query(
      `SELECT key || ':' || version AS fact FROM contract_effects ORDER BY nth`,
    );
    return rows.map(({ fact }) => fact);
  };

  // Protection: offsets are committed when the handler's promise has settled, not before (RecordConsumer.finish, called in
  // RecordConsumer.run), and only up to the first unfinished one (OffsetWindow.finish).
  it('commits no offset before the transaction of its handler, nor past one that is still open', async () => {
    const topic = aTopic(1);
    const group = aGroup();
    await create(topic);
    let free: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (free = resolve));
    const done: string[] = [];
    await start({
      group,
      handlers: {
        [topic.name]: async ({ subject }) => {
          if (subject === 'open') await gate;
          done.push(subject);
        },
      },
    });
    await publish(topic, aFact(topic, 'before', 1));
    await eventually(async () => {
      expect(await committed(group, topic)).toBe(1n);
    });
    await publish(topic, aFact(topic, 'open', 1), aFact(topic, 'behind', 1));
    await eventually(() => {
      expect(done).toEqual(['before', 'behind']);
    });
    // A commit of "behind" would have arrived within this time.
    await publish(topic, aFact(topic, 'later', 1));
    await eventually(() => {
      expect(done).toContain('later');
    });
    expect(await committed(group, topic)).toBe(1n);
    free();
    await eventually(async () => {
      expect(await committed(group, topic)).toBe(4n);
    });
  });

  // Protection: Inbox.once in inbox/, first in the transaction of the effect.
  it('applies an effect once although the process crashed between its transaction and the offset commit', async () => {
    const topic = aTopic(1);
    const tuning = { sessionTimeoutMs: 5_000 };
    const plan = { group: aGroup(), topics: [topic.name], workMs: 0, relays: false, tuning };
    await create(topic);
    const killed = await startProcess(plan, {
      FAULT_POINTS_ARMED: '1',
      FAULT_POINT: 'messaging.handled:3',
    });
    await publish(topic, ...versions(5).map((version) => aFact(topic, 'key', version)));
    expect(await killed.ended).toBe('SIGKILL');
    expect((await effects()).slice(0, 3)).toEqual(['key:1', 'key:2', 'key:3']);
    const next = await startProcess(plan);
    await eventually(async () => {
      expect(await effects()).toEqual(versions(5).map((version) => `key:${version}`));
    });
    // The record was redelivered, and its effect already existed.
    await eventually(() => {
      expect(next.messages.map(({ fact }) => fact)).toContain('key:3');
    });
    expect(await committed(plan.group, topic)).toBeLessThanOrEqual(5n);
  });

  // Protection: a failed event is parked and retried (EventProcessor.park); Nest's own server would commit it.
  it('retries a fact whose handler failed, and rolls back the failed attempt', async () => {
    const topic = aTopic(1);
    await create(topic);
    let failures = 2;
    const effect = (fact: Fact, inbox: Inbox): Promise<void> =>
      dataSource().transaction(async (manager) => {
        if (!(await inbox.once(manager, fact))) return;
        await manager.query(
          'INSERT INTO contract_effects (event_id, key, version) VALUES ($1, $2, $3)',
          [fact.id, fact.subject, fact.data.version],
        );
        failures -= 1;
        if (failures >= 0) throw new Error('failed after writing');
      });
    await start({ retryDelaysMs: [10, 10, 10], handlers: { [topic.name]: effect } });
    await publish(topic, aFact(topic, 'key', 1), aFact(topic, 'key', 2));
    await eventually(async () => {
      expect(await effects()).toEqual(['key:1', 'key:2']);
    });
  });
});
