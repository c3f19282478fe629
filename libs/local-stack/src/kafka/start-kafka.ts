import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../processes.js';
import { Broker, runningBroker } from './broker.js';
import { certificateIn } from './certificate.js';
import { classArchive, isUsable } from './class-archive.js';
import type { KafkaOptions } from './kafka-options.js';
import { layoutOf } from './layout.js';
import { formatArguments, serverProperties } from './properties.js';

export interface LocalKafka {
  brokers: string[];
  /** The listeners of `sasl` and of `tls`. */
  saslBrokers: string[];
  tlsBrokers: string[];
  /** The certificate of the encrypted listener, which a client has to trust. */
  certificate: string | null;
  /** Each broker, to be stopped, killed and started by itself. */
  nodes: Broker[];
  /** All brokers were left by an earlier start. */
  adopted: boolean;
  pids(): number[];
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Stops the running brokers and starts all with their data. */
  restart(): Promise<void>;
}

// Any 16 bytes in base64: brokers of another cluster have other ports and data.
const CLUSTER_ID = 'YmFzY3VsZS1sb2NhbC0wMQ';

// Java writes the archive when the broker has ended, which takes some 5 s of a whole processor.
const ARCHIVE_MS = 120_000;

/** Starts one or three real brokers, or adopts the running ones. */
export async function startKafka(options: KafkaOptions): Promise<LocalKafka> {
  const { heapMb = 256, archiveClassesTo } = options;
  const layout = await layoutOf(options);
  const certificate = options.tls === true ? await certificateIn(options.directory) : null;
  const nodes = layout.map(
    (node) =>
      new Broker({
        node,
        clusterId: CLUSTER_ID,
        properties: serverProperties(node, layout, options, certificate),
        formatArguments: formatArguments(options),
        heapMb,
        archiveClassesTo,
      }),
  );
  const all = (act: (broker: Broker) => Promise<unknown>) => Promise.all(nodes.map(act));
  const stop = () => all((broker) => broker.stop()).then(() => undefined);
  let adopted: boolean[];
  try {
    adopted = await Promise.all(nodes.map((broker) => broker.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  const at = (port: 'port' | 'saslPort' | 'tlsPort') =>
    layout.map((node) => `127.0.0.1:${node[port]}`);
  return {
    brokers: at('port'),
    saslBrokers: options.sasl ? at('saslPort') : [],
    tlsBrokers: certificate ? at('tlsPort') : [],
    certificate: certificate?.pem ?? null,
    nodes,
    adopted: adopted.every(Boolean),
    pids: () => nodes.flatMap((broker) => broker.pid ?? []),
    stop,
    kill: () => all((broker) => broker.kill()).then(() => undefined),
    restart: async () => {
      await stop();
      await all((broker) => broker.start());
    },
  };
}

/**
 * Brings Kafka's jars and archives the classes that a broker loads, so that later brokers start faster. Done again only
 * for other jars or another Java.
 * @param directory of the broker whose classes are archived; removed at the end, kept with its log after a failure
 */
export async function prepareKafka(directory: string): Promise<void> {
  const archive = classArchive();
  if (await isUsable(archive)) return;
  const draft = join(directory, 'classes.jsa');
  const kafka = await startKafka({ directory, archiveClassesTo: draft });
  await Promise.all(kafka.nodes.map((broker) => broker.stop(ARCHIVE_MS)));
  if (!(await isUsable(draft))) {
    throw new Error(`Java wrote no usable archive of its classes; see the logs in ${directory}`);
  }
  renameSync(draft, archive);
  await removeKafka(directory);
}

/** Stops the brokers of a folder, also those that another process started. */
export async function stopKafka(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  const nodes = readdirSync(directory).filter((name) => name.startsWith('node-'));
  await Promise.all(
    nodes.map(async (name) => {
      const pid = runningBroker(join(directory, name));
      if (pid !== null) await endProcess(pid, 8_000);
    }),
  );
}

/** Forgets a folder and all that is in it. */
export async function removeKafka(directory: string): Promise<void> {
  await stopKafka(directory);
  rmSync(directory, { recursive: true, force: true });
}
