import type { TopicDefinition } from '@bascule/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { DataSource } from 'typeorm';
import type { TopicAdministration, Transport } from '../transport/transport.js';

/** What takes long otherwise; a transport that knows nothing of it has nothing to do. */
export interface Conditions {
  /** After how long without a sign of life a process is taken for dead. */
  sessionTimeoutMs?: number;
  /** After how long partitions that were added are noticed. */
  partitionsMaxAgeMs?: number;
}

/** What the contract needs of a transport: several processes on one broker, and a service's migrated schema. */
export interface TransportHarness {
  /** Another process: a transport of its own on the same broker. */
  connect(conditions?: Conditions): Promise<Transport>;
  /** The same broker's topics. */
  topics: TopicAdministration;
  dataSource: DataSource;
  close(): Promise<void>;
}

export const ENVIRONMENT = 'contract';

/** A topic of the test's own. */
export const aTopic = (partitions = 4): TopicDefinition => ({
  name: `contract.${uuidv7()}`,
  key: 'thing id',
  partitions,
  cleanup: { policy: 'compact', minCompactionLagMs: 0 },
  maxMessageBytes: 65_536,
  schema: { version: 1, types: ['thing.changed'] },
});

export const aGroup = (): string => `group-${uuidv7()}`;
