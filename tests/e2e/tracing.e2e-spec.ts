import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  OtlpReceiver,
  startCapturingServer,
  type CapturingServer,
} from '@bascule/testing';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import type { EventEnvelope, Payment } from '@bascule/contracts';
import { confirmBody, quote, reaches } from '../../tools/first-payment/payments.js';
import { newTestUserWith, type Stage } from '../../tools/first-payment/test-user.js';
import { fund } from '../../tools/first-payment/swap.js';
import { loadSecrets } from '@bascule/composition';
import { silentStage } from './testing/stage.fixture.js';
import { DescribedMessages } from '../schemas/described-messages.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const DELIVERED_MS = 60_000;
const CONFIRM = 'POST /payments/confirm';
const SERVER = 2;
const CLIENT = 3;

let stack: StackProcess;
let stage: Stage;
let receiver: CapturingServer;
let database: Client | undefined;

async function start(environment: Record<string, string>): Promise<void> {
  const file = await stack.start(environment);
  const { postgresPassword } = loadSecrets(join(stack.directory, 'secrets.json'));
  const { POSTGRES_PORT } = stack.ports;
  database = new Client({
    connectionString: `postgres://postgres:${postgresPassword}@127.0.0.1:${POSTGRES_PORT}/postgres`,
  });
  // Stopping the stack ends the connection; a failed query still rejects.
  database.on('error', () => undefined);
  await database.connect();
  stage = await silentStage(file);
}

async function leave(): Promise<void> {
  await database?.end();
  if (!stack.isRunning()) return;
  await stage.webhooks.close();
  await stack.stop();
}

beforeAll(async () => {
  // Never satisfied, so that the delivery stays on record.
  receiver = await startCapturingServer(() => ({ status: 500 }));
  stack = await StackProcess.create('tracing');
});
afterAll(async () => {
  await receiver.stop();
  await stack.dispose();
});

/** A swap, confirmed by a client that traces. */
async function paidWith(traceparent: string): Promise<string> {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const { owner, destination } = await newTestUserWith(chain, usdc, '25');
  const request = {
    input: { asset: usdc, amount: '25' },
    output: chain.token('WETH'),
    owner: owner.address,
    destination,
  };
  const { quotes, state_token } = await quote(api, request);
  const { status, body } = await api.request('POST', '/payments/confirm', {
    body: confirmBody(request, quotes[0]?.payment_id ?? '', state_token),
    headers: { traceparent },
  });
  expect(status).toBe(200);
  const payment = body as Payment;
  await fund(stage, { owner, destination }, payment);
  await reaches(api, payment.payment_id, 'COMPLETE');
  return payment.payment_id;
}

interface LogLine {
  service: string;
  msg: string;
  trace_id?: string;
}

const tracedLines = (traceId: string): string[] =>
  stack.output
    .split('\n')
    // The last line may be incomplete.
    .slice(0, -1)
    .filter((line) => line.startsWith('{') && (JSON.parse(line) as LogLine).trace_id === traceId);

const linesOf = (traceId: string): string[] =>
  tracedLines(traceId)
    .map((line) => JSON.parse(line) as LogLine)
    .map(({ service, msg }) => `${service}: ${msg}`);

async function column(statement: string, paymentId: string): Promise<string[]> {
  const answer = await database?.query<{ found: string }>(statement, [paymentId]);
  return (answer?.rows ?? []).map(({ found }) => found);
}

const newTrace = () => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
};

describe('one trace id', () => {
  const { traceId, traceparent } = newTrace();
  let paymentId: string;

  beforeAll(async () => {
    await start({ LOG_LEVEL: 'debug', LOG_REQUESTS: 'true' });
    await stage.api.post('/orgs/webhooks', {
      url: `${receiver.url}/hook`,
      label: 'traced',
      event_types: ['WORKFLOW_COMPLETED'],
    });
    paymentId = await paidWith(traceparent);
    await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0), {
      timeoutMs: DELIVERED_MS,
    });
  });
  afterAll(leave);

  it.each([
    'gateway: request',
    'payment: request',
    'payment: payment confirmed',
    'payment: payment changed',
    'payment: transaction recorded',
    'payment: transaction broadcast',
    'payment: transaction settled',
    'webhook-dispatch: delivery attempted',
  ])('is in the line "%s"', async (line) => {
    await eventually(() => expect(linesOf(traceId)).toContain(line), { timeoutMs: DELIVERED_MS });
  });

  it('is in the envelope and the headers of every event about the payment', async () => {
    const of = (what: string) =>
      column(
        `SELECT ${what} AS found FROM event_log.records WHERE topic = 'bascule.payment' AND key = $1`,
        paymentId,
      );
    const headers = await of(`headers->>'traceparent'`);
    expect(headers.length).toBeGreaterThan(3);
    for (const found of [
      ...headers,
      ...(await of(`convert_from(value, 'UTF8')::json->>'traceparent'`)),
    ]) {
      expect(found).toContain(traceId);
    }
  });

  it('is in records that are as described, like those of all topics', async () => {
    const records = await database?.query<{ headers: object; value: string }>(
      `SELECT headers, convert_from(value, 'UTF8') AS value FROM event_log.records`,
    );
    const described = new DescribedMessages();
    const problems = (records?.rows ?? []).flatMap(({ headers, value }) => {
      const event = JSON.parse(value) as EventEnvelope;
      return [
        ...described.payloadProblems(event.type, event),
        ...described.headerProblems(event.type, headers),
      ].map((problem) => `${event.type} ${problem}`);
    });
    expect(records?.rows.length).toBeGreaterThan(10);
    expect(problems).toEqual([]);
  });

  it('is in the record of the transaction that paid out', async () => {
    const found = await column(
      `SELECT t.traceparent AS found FROM payment.chain_transactions t
       JOIN payment.legs l ON l.transaction_hash = t.hash WHERE l.payment_id = $1`,
      paymentId,
    );
    expect(found).toEqual([traceparent]);
  });

  it('is in the delivery record and in the request to the receiver', async () => {
    const onRecord = () =>
      column(
        `SELECT traceparent AS found FROM webhook_dispatch.webhook_deliveries WHERE workflow_id = $1`,
        paymentId,
      );
    // The other receiver's goes away once it is delivered.
    await eventually(
      async () => expect(await onRecord()).toEqual([expect.stringContaining(traceId)]),
      { timeoutMs: DELIVERED_MS },
    );
    expect(receiver.requests[0]?.headers.traceparent).toContain(traceId);
  });

  it('belongs to one payment only', async () => {
    const other = newTrace();
    const otherId = await paidWith(other.traceparent);
    expect(linesOf(other.traceId)).toContain('payment: transaction recorded');
    const about = (id: string) => (line: string) => line.includes(id);
    expect(tracedLines(traceId).filter(about(paymentId))).not.toEqual([]);
    expect(tracedLines(traceId).filter(about(otherId))).toEqual([]);
    expect(tracedLines(other.traceId).filter(about(otherId))).not.toEqual([]);
    expect(tracedLines(other.traceId).filter(about(paymentId))).toEqual([]);
    const headers = await column(
      `SELECT headers->>'traceparent' AS found FROM event_log.records WHERE key = $1`,
      otherId,
    );
    expect(headers.filter((found) => !found.includes(other.traceId))).toEqual([]);
  });
});

describe('spans', () => {
  let otlp: OtlpReceiver;
  beforeAll(async () => {
    otlp = await OtlpReceiver.listen();
    await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_SERVICE_NAME: 'the-whole-stack',
    });
  });
  afterAll(async () => {
    await leave();
    await otlp.stop();
  });

  it('form one tree from the client to the webhook of a payment', async () => {
    const { traceId, traceparent } = newTrace();
    await paidWith(traceparent);
    const spans = () => otlp.spans.filter((span) => span.traceId === traceId);
    const named = (service: string, name: string) => {
      const found = spans().find((span) => span.service === service && span.name === name);
      if (found === undefined) throw new Error(`no span "${name}" of ${service}`);
      return found;
    };
    await eventually(() => named('webhook-dispatch', 'webhook attempt'), {
      timeoutMs: DELIVERED_MS,
    });
    for (const [service, name] of [
      ['payment', 'advance leg'],
      ['payment', 'record transaction'],
      ['payment', 'broadcast transaction'],
      ['payment', 'settle transaction'],
      ['payment', 'send bascule.payment'],
      ['webhook-dispatch', 'process bascule.payment'],
    ] as const) {
      await eventually(() => named(service, name), { timeoutMs: DELIVERED_MS });
    }
    const ofGateway = (kind: number) => {
      const found = spans().find((span) => span.service === 'gateway' && span.kind === kind);
      if (found === undefined) throw new Error(`no span of kind ${kind} of the gateway`);
      return found;
    };
    const [taken, forwarded] = await eventually(
      () => {
        named('payment', CONFIRM);
        return [ofGateway(SERVER), ofGateway(CLIENT)] as const;
      },
      { timeoutMs: DELIVERED_MS },
    );
    expect(taken).toMatchObject({ name: CONFIRM, parentSpanId: '00f067aa0ba902b7' });
    expect(forwarded).toMatchObject({ name: CONFIRM, parentSpanId: taken.spanId });
    expect(named('payment', CONFIRM)).toMatchObject({
      kind: SERVER,
      parentSpanId: forwarded.spanId,
      attributes: { 'http.response.status_code': expect.anything() },
    });
    // Spans are exported at their end, so the longest arrive last.
    await eventually(
      () => {
        const known = new Set([...spans().map(({ spanId }) => spanId), '00f067aa0ba902b7']);
        expect(spans().filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))).toEqual([]);
      },
      { timeoutMs: DELIVERED_MS },
    );
    expect(spans().some(({ isFailure, name }) => isFailure && name !== 'webhook attempt')).toBe(
      false,
    );
  });
});
