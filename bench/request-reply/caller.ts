// Asks, over HTTP with undici or over Kafka with Nest's own client, and tells how long each answer took.
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { ClientKafka } from '@nestjs/microservices';
import { firstValueFrom, timeout } from 'rxjs';
import { Pool } from 'undici';
import { serveParent } from '../lib/worker.js';
import { ASKED, REQUEST_TOPIC } from './exchange.js';

export type Order = { services: string[] } | { lanes: number; forMs: number; workMs: number };
export interface Told {
  /** Milliseconds of each answered request. */
  answered: number[];
  refused: number;
  /** Asked, and no answer within the limit. */
  unanswered: number;
}

Logger.overrideLogger(false);

const NO_ANSWER_MS = 10_000;
type Ask = (workMs: number) => Promise<unknown>;

let pools: Pool[] = [];
let turn = 0;

/** Calls replicas in turn, and the next one where a connection is refused. */
async function httpAsk(workMs: number): Promise<unknown> {
  const first = turn++;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await pools[(first + attempt) % pools.length]?.request({
        method: 'POST',
        path: '/status',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...ASKED, work_ms: workMs }),
        headersTimeout: NO_ANSWER_MS,
      });
      return await response?.body.json();
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!isRefused || attempt === pools.length) throw error;
    }
  }
}

async function kafkaAsk(brokers: string[]): Promise<Ask> {
  const client = new ClientKafka({
    client: { brokers, clientId: 'caller' },
    consumer: { groupId: 'caller' },
  });
  client.subscribeToResponseOf(REQUEST_TOPIC);
  await client.connect();
  return (workMs) =>
    firstValueFrom(
      client.send(REQUEST_TOPIC, { ...ASKED, work_ms: workMs }).pipe(timeout(NO_ANSWER_MS)),
    );
}

async function call(
  ask: Ask,
  { lanes, forMs, workMs }: { lanes: number; forMs: number; workMs: number },
): Promise<Told> {
  const told: Told = { answered: [], refused: 0, unanswered: 0 };
  const end = performance.now() + forMs;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now();
      try {
        await ask(workMs);
        told.answered.push(performance.now() - started);
      } catch {
        if (performance.now() - started >= NO_ANSWER_MS) told.unanswered += 1;
        else told.refused += 1;
        // A caller that is refused at once asks again a moment later, as a real one would.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return told;
}

const { CALL_OVER, KAFKA_BROKERS = '' } = process.env;
const ask = CALL_OVER === 'http' ? httpAsk : await kafkaAsk(KAFKA_BROKERS.split(','));
serveParent(async (message) => {
  const order = message as Order;
  if ('lanes' in order) return call(ask, order);
  pools = order.services.map((url) => new Pool(url, { connections: 32 }));
  return undefined;
});
