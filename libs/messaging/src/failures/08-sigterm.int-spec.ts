import { aFact, aGroup, aTopic, useKafka, versions } from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';

describe('failure 8: work is lost or done twice on SIGTERM', () => {
  const { create, publish, startProcess, count } = useKafka();

  // Protection: the order of the shutdown (EventServer.stopIntake, then EventServer.drain, then the database), and the last
  // commits, written before the group is left (Membership.leave in transport/kafka/).
  it('finishes running handlers, starts no more, and leaves the rest to the next process, each fact handled once', async () => {
    const topic = aTopic(4);
    const plan = { group: aGroup(), topics: [topic.name], workMs: 3_000, relays: false };
    await create(topic);
    const first = await startProcess(plan);
    const keys = versions(24).map((key) => `key-${key}`);
    await publish(topic, ...keys.map((key) => aFact(topic, key, 1)));
    const of = (what: 'begun' | 'handled') =>
      first.messages.filter((message) => message.what === what).map(({ fact }) => fact);
    await eventually(() => {
      expect(of('begun').length).toBeGreaterThanOrEqual(4);
    });
    const begunBefore = of('begun');
    expect(await first.terminate()).toBe(0);
    expect(of('handled').sort()).toEqual(of('begun').sort());
    expect(of('begun').slice(0, begunBefore.length)).toEqual(begunBefore);
    expect(of('handled').length).toBeLessThan(keys.length);

    const next = await startProcess({ ...plan, workMs: 0 });
    await eventually(async () => {
      expect(await count('contract_effects')).toBe(keys.length);
    });
    await eventually(() => {
      const byNext = next.messages.filter(({ what }) => what === 'begun').map(({ fact }) => fact);
      expect([...of('handled'), ...byNext].sort()).toEqual(keys.map((key) => `${key}:1`).sort());
    });
  });
});
