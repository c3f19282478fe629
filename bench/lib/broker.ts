import { removeKafka, startKafka } from '@bascule/local-stack';
import { resolve } from 'node:path';
import { cpuSecondsOf } from './worker.js';

export interface BenchBroker {
  brokers: string[];
  /** Linux only. */
  cpuSeconds(): number;
  remove(): Promise<void>;
}

/** A Kafka of the benchmark's own, forgotten afterwards. */
export async function startBroker(): Promise<BenchBroker> {
  const directory = resolve('.local/bench/kafka');
  await removeKafka(directory);
  const kafka = await startKafka({ directory, heapMb: 512 });
  return {
    brokers: kafka.brokers,
    cpuSeconds: () => kafka.pids().reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
    remove: () => removeKafka(directory),
  };
}
