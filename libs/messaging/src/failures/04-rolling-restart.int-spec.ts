import { aFact, aGroup, aTopic, type ServiceProcess, useKafka } from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';

const KEYS = 48;
/** Longer than the test: a member that does not leave keeps its partitions. */
const SESSION_MS = 600_000;

describe('failure 4: stop-the-world rebalances on every deploy', () => {
  const { create, publish, startProcess, count, members } = useKafka();

  // Protection: a process that stops leaves its group at once (Membership.leave in transport/kafka/). How soon the others
  // learn of it is measured by bench:promises.
  it('hands the partitions of each replaced replica to the other before its replacement starts', async () => {
    const topic = aTopic(4);
    const tuning = { sessionTimeoutMs: SESSION_MS };
    const plan = { group: aGroup(), topics: [topic.name], workMs: 0, relays: false, tuning };
    await create(topic);
    const first = await startProcess(plan);
    const second = await startProcess(plan);
    let published = 0;

    /** Terminates a replica; expects the other to handle all keys alone. */
    const replace = async (leaving: ServiceProcess, staying: ServiceProcess): Promise<void> => {
      await eventually(async () => {
        expect(await members(plan.group)).toBe(2);
      });
      expect(await leaving.terminate()).toBe(0);
      expect(await members(plan.group)).toBe(1);
      const facts = Array.from({ length: KEYS }, (_, n) =>
        aFact(topic, `key-${n}`, 1 + published / KEYS),
      );
      await publish(topic, ...facts);
      published += facts.length;
      // A process reports a fact after its effect is committed.
      await eventually(async () => {
        const byStaying = new Set(
          staying.messages.filter(({ what }) => what === 'handled').map(({ fact }) => fact),
        );
        expect(
          facts.filter(({ subject, data }) => !byStaying.has(`${subject}:${data.version}`)),
        ).toEqual([]);
        expect(await count('contract_effects')).toBe(published);
      });
    };

    await replace(first, second);
    await replace(second, await startProcess(plan));
  });
});
