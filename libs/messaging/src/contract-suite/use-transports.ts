import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { OutgoingRecord, TopicAdministration, Transport } from '../transport/transport.js';
import type { Conditions, TransportHarness } from './harness.js';

/** Processes on one broker, without a service in them. */
export interface Transports {
  /** To publish with, all through the file. */
  transport: () => Transport;
  topics: () => TopicAdministration;
  /** Another process, until the end of the test. */
  connect: (conditions?: Conditions) => Promise<Transport>;
}

export function useTransports(open: () => Promise<TransportHarness>): Transports {
  let harness: TransportHarness;
  let transport: Transport;
  const opened: Transport[] = [];
  beforeAll(async () => {
    harness = await open();
    transport = await harness.connect();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((another) => another.close()));
  });
  afterAll(async () => {
    await transport.close();
    await harness.close();
  });
  return {
    transport: () => transport,
    topics: () => harness.topics,
    connect: async (conditions) => {
      const another = await harness.connect(conditions);
      opened.push(another);
      return another;
    },
  };
}

export const record = (topic: string, key: string, value: string): OutgoingRecord => ({
  topic,
  key,
  headers: {},
  value: Buffer.from(value),
});

export const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(n));
