import { createLogger } from '@bascule/process';
import { testKafka } from '@bascule/testing';
import { expect, it } from '@jest/globals';
import { AdminClient } from './admin-client.js';
import { BrokerStatus } from './broker-status.js';
import { createClient } from './kafka-client.js';

const logger = createLogger({ service: 'admin', level: 'silent' });

it('keeps a replaced connection open for calls in flight', async () => {
  const brokers = await testKafka();
  const kafka = createClient({ brokers }, 'admin', logger);
  const client = new AdminClient(kafka, new BrokerStatus(brokers, logger), -1);
  let disconnected = 0;
  const first = client.use(async (admin) => {
    admin.on(admin.events.DISCONNECT, () => (disconnected += 1));
    await client.use((another) => {
      expect(another).not.toBe(admin);
      return another.listTopics();
    });
    expect(disconnected).toBe(0);
    return admin.listTopics();
  });
  expect(await first).toBeInstanceOf(Array);
  await client.close();
}, 120_000);
