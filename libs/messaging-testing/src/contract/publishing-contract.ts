import type { PublishFence } from '@bascule/messaging/internals';
import { Lease, LeaseLostError } from '@bascule/persistence';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { DataSource } from 'typeorm';
import { Collector } from '../fixtures/collector.js';
import { aTopic, type TransportHarness } from '../fixtures/harness.js';
import { record, useTransports } from '../fixtures/use-transports.js';

const LEASE = 'contract-outbox';

/** Acquires the lease as the next leader, after that of the one before has ended. */
export async function nextLeader(dataSource: DataSource, ttlMs = 60_000): Promise<PublishFence> {
  await dataSource.query('UPDATE leases SET expires_at = clock_timestamp() WHERE name = $1', [
    LEASE,
  ]);
  const holder = uuidv7();
  const lease = new Lease({ dataSource, name: LEASE, holder, ttlMs });
  const { epoch } = (await lease.acquire()) ?? { epoch: 0n };
  return {
    ...{ name: LEASE, holder, epoch },
    assertHeld: async () => {
      if (!(await lease.renew())) throw new LeaseLostError(LEASE);
    },
  };
}

/** Contract of publishing under a fence, on any transport. */
export function describePublishingContract(
  name: string,
  open: () => Promise<TransportHarness>,
): void {
  describe(`${name} under a change of leader`, () => {
    const { transport, topics, connect, dataSource } = useTransports(open);

    const valuesOf = async (topic: string): Promise<string[]> => {
      const collector = new Collector();
      await transport().read({ topics: [topic], receiver: collector });
      return collector.valuesOf('key');
    };

    it('refuses what an earlier leader publishes after a later one, also in its open connection', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      const [earlier, later] = [await connect(), await connect()];
      const publish = (by: typeof earlier, fence: PublishFence, ...values: string[]) =>
        by.publish(
          values.map((value) => record(topic.name, 'key', value)),
          fence,
        );
      const first = await nextLeader(dataSource());
      await publish(earlier, first, '1');
      const second = await nextLeader(dataSource());
      await publish(later, second, '1', '2');
      await publish(later, second, '3');

      await expect(publish(earlier, first, '2')).rejects.toThrow();
      await eventually(() => expect(publish(earlier, first, '2')).rejects.toThrow(LeaseLostError));
      await publish(later, second, '4');
      expect(await valuesOf(topic.name)).toEqual(['1', '1', '2', '3', '4']);
    });

    it('publishes nothing for a process that connects after it lost the lease', async () => {
      const topic = aTopic(1);
      await topics().apply([topic]);
      const lost = await nextLeader(dataSource());
      await nextLeader(dataSource());
      const late = await connect();
      await expect(late.publish([record(topic.name, 'key', '1')], lost)).rejects.toThrow(
        LeaseLostError,
      );
      expect(await valuesOf(topic.name)).toEqual([]);
    });
  });
}
