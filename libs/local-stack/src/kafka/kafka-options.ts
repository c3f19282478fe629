export interface KafkaOptions {
  /** Data, ports and process ids; the next start goes on with them. */
  directory: string;
  /** Port of the first broker; by default a free port, which later starts use again. */
  port?: number;
  controllerPort?: number;
  /** Three: every topic on all of them, and two have to acknowledge. */
  brokers?: 1 | 3;
  /** Adds a listener that requires this user, by PLAIN or SCRAM. */
  sasl?: { username: string; password: string };
  /** Adds an encrypted listener; with `sasl` it requires the user as well. */
  tls?: boolean;
  /** Heap of each broker, in MB. */
  heapMb?: number;
  /** Each broker writes Java's archive of its loaded classes to this file when it ends. */
  archiveClassesTo?: string;
}
