// One hop from a service to another, over HTTP (undici to Nest on Fastify) and as a Kafka request-reply (Nest's own client
// and server), in turns: what it costs, and what happens to it when a second replica of each side joins.
import { freePort } from '@bascule/local-stack';
import { Kafka, logLevel } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchBroker, startBroker } from './lib/broker.js';
import { inTurns, median, quantile } from './lib/rounds.js';
import { startWorker, type Worker } from './lib/worker.js';
import type { Told } from './request-reply/caller.js';
import { REQUEST_TOPIC } from './request-reply/exchange.js';

const TURNS = 3;
const TURN_MS = 3_000;
const DISTURBED_MS = 8_000;

interface Load {
  lanes: number;
  workMs: number;
}
interface Side {
  callers: Worker[];
  services: Worker[];
  addCaller(): Promise<void>;
  addService(): Promise<void>;
}
interface Sample {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMicros: number;
}

const workers: Worker[] = [];
const started = async (file: string, env: Record<string, string>): Promise<Worker> => {
  const worker = await startWorker(`bench/request-reply/${file}.ts`, env);
  workers.push(worker);
  return worker;
};

const broker = await startBroker();
try {
  await createTopics(broker, { requests: 2, replies: 2 });
  const http = await httpSide();
  const kafka = await kafkaSide(broker);
  console.log('one caller, one service               p50      p99        /s   CPU per request');
  for (const load of [
    { lanes: 1, workMs: 0 },
    { lanes: 32, workMs: 0 },
    { lanes: 32, workMs: 5 },
  ]) {
    await compare(http, kafka, load);
  }
  console.log('\na second service, then a second caller joins under load (16 at a time)');
  await join('HTTP hop', http);
  await join('Kafka request-reply', kafka);
  console.log('\ntwo callers, two services');
  await share('HTTP hop', http);
  await share('Kafka request-reply', kafka);
  console.log('\none of the two services is killed under load');
  await kill('HTTP hop', http);
  await kill('Kafka request-reply', kafka);
  await stopAll();
  console.log('\ntwo callers, one partition of replies');
  await createTopics(broker, { requests: 2, replies: 1 });
  const starved = await kafkaSide(broker);
  await starved.addCaller();
  await share('Kafka request-reply', starved);
} finally {
  await stopAll();
  await broker.remove();
}

async function stopAll(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
}

async function createTopics(
  { brokers }: BenchBroker,
  partitions: { requests: number; replies: number },
): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = [REQUEST_TOPIC, `${REQUEST_TOPIC}.reply`];
  const present = new Set(await admin.listTopics());
  await admin.deleteTopics({ topics: topics.filter((topic) => present.has(topic)) });
  await admin.createTopics({
    waitForLeaders: true,
    topics: [
      { topic: REQUEST_TOPIC, numPartitions: partitions.requests },
      { topic: `${REQUEST_TOPIC}.reply`, numPartitions: partitions.replies },
    ],
  });
  await admin.disconnect();
}

async function httpSide(): Promise<Side> {
  const urls: string[] = [];
  const side: Side = {
    callers: [],
    services: [],
    addService: async () => {
      const port = await freePort();
      side.services.push(await started('http-service', { PORT: String(port) }));
      urls.push(`http://127.0.0.1:${port}`);
      for (const caller of side.callers) caller.tell({ services: urls });
    },
    addCaller: async () => {
      const caller = await started('caller', { CALL_OVER: 'http' });
      side.callers.push(caller);
      caller.tell({ services: urls });
    },
  };
  await side.addService();
  await side.addCaller();
  return side;
}

async function kafkaSide({ brokers }: BenchBroker): Promise<Side> {
  const env = { KAFKA_BROKERS: brokers.join(','), KAFKAJS_NO_PARTITIONER_WARNING: '1' };
  const side: Side = {
    callers: [],
    services: [],
    addService: async () => {
      side.services.push(await started('kafka-service', env));
    },
    addCaller: async () => {
      side.callers.push(await started('caller', { ...env, CALL_OVER: 'kafka' }));
      // Nest's client says that it is connected before its group has given it a partition.
      await delay(3_000);
    },
  };
  await side.addService();
  await side.addCaller();
  return side;
}

async function told(caller: Worker | undefined, load: Load & { forMs: number }): Promise<Told> {
  if (caller === undefined) throw new Error('no caller');
  return caller.ask<Told>(load);
}

async function sample(side: Side, load: Load, cpuOfOthers: () => number): Promise<Sample> {
  const cpuSeconds = () =>
    [...side.callers, ...side.services].reduce((sum, worker) => sum + worker.cpuSeconds(), 0) +
    cpuOfOthers();
  const before = cpuSeconds();
  const { answered } = await told(side.callers[0], { ...load, forMs: TURN_MS });
  const sorted = answered.sort((a, b) => a - b);
  return {
    perSecond: (sorted.length * 1_000) / TURN_MS,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpuMicros: ((cpuSeconds() - before) * 1e6) / sorted.length,
  };
}

async function compare(http: Side, kafka: Side, load: Load): Promise<void> {
  const ofHttp = () => sample(http, load, () => 0);
  const ofKafka = () => sample(kafka, load, () => broker.cpuSeconds());
  await ofHttp();
  await ofKafka();
  const turns = await inTurns(TURNS, ofHttp, ofKafka);
  const line = (name: string, samples: Sample[]): void => {
    const figure = (of: keyof Sample) => median(samples.map((one) => one[of]));
    console.log(
      `  ${name.padEnd(28)} ${figure('p50').toFixed(2).padStart(8)} ${figure('p99').toFixed(2).padStart(8)} ms ${figure('perSecond').toFixed(0).padStart(6)} ${figure('cpuMicros').toFixed(0).padStart(8)} µs`,
    );
  };
  const work = load.workMs > 0 ? `, ${load.workMs} ms of work` : '';
  console.log(` ${load.lanes} at a time${work}`);
  line(
    'HTTP hop',
    turns.map(([one]) => one),
  );
  line(
    'Kafka request-reply',
    turns.map(([, other]) => other),
  );
}

/** The first caller asks on and on while the others come. */
async function join(name: string, side: Side): Promise<void> {
  await disturbed(name, side, async () => {
    await side.addService();
    await side.addCaller();
  });
}

async function kill(name: string, side: Side): Promise<void> {
  await disturbed(name, side, async () => {
    await side.services[1]?.kill();
  });
}

async function disturbed(name: string, side: Side, disturb: () => Promise<void>): Promise<void> {
  const calling = told(side.callers[0], { lanes: 16, workMs: 0, forMs: DISTURBED_MS });
  await delay(1_000);
  await disturb();
  const { answered, refused, unanswered } = await calling;
  const longest = answered.reduce((most, ms) => Math.max(most, ms), 0);
  console.log(
    `  ${name.padEnd(28)} longest answer ${longest.toFixed(0)} ms, refused ${refused}, no answer in 10 s ${unanswered}`,
  );
}

async function share(name: string, side: Side): Promise<void> {
  const before = side.services.map((service) => service.cpuSeconds());
  const results = await Promise.all(
    side.callers.map((caller) => told(caller, { lanes: 16, workMs: 0, forMs: TURN_MS })),
  );
  const callers = results.map(
    ({ answered, refused, unanswered }) =>
      `${((answered.length * 1_000) / TURN_MS).toFixed(0)}/s (refused ${refused}, no answer in 10 s ${unanswered})`,
  );
  const used = side.services.map((service, n) => service.cpuSeconds() - (before[n] ?? 0));
  const total = used.reduce((sum, seconds) => sum + seconds, 0);
  const shares = used.map((seconds) => `${((seconds * 100) / total).toFixed(0)} %`);
  console.log(
    `  ${name.padEnd(28)} callers ${callers.join(', ')}; CPU of the services ${shares.join(' : ')}`,
  );
}
