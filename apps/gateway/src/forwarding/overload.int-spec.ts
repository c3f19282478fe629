import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { bearer, send, startGateway } from '../testing/gateway.fixture.js';
import type { GatewayFixture } from '../testing/gateway.fixture.js';
import { Upstream } from '../testing/stubbed-gateway.fixture.js';

const LIMITS = { UPSTREAM_CONNECTIONS: '4', UPSTREAM_QUEUE: '4', UPSTREAM_TIMEOUT_MS: '60000' };
/** One organisation has three of four connections and half of the queue. */
const [CONNECTIONS, PLACES] = [3, 2];
const FLOOD = 50;

const stuck = new Upstream();
const healthy = new Upstream();
let held: ServerResponse[] = [];
let fixture: GatewayFixture | undefined;
let other = '';

beforeAll(async () => {
  await Promise.all([stuck.listen(), healthy.listen()]);
});
beforeEach(() => {
  held = [];
  stuck.handler = (_, response) => void held.push(response);
});
afterEach(async () => {
  answerAll();
  await fixture?.stop();
});
afterAll(() => Promise.all([stuck.close(), healthy.close()]));

async function start(queueMs: number): Promise<GatewayFixture> {
  const started = await startGateway(`http://127.0.0.1:${healthy.port}`, {
    ...LIMITS,
    CATALOGUE_URL: `http://127.0.0.1:${stuck.port}`,
    UPSTREAM_QUEUE_MS: String(queueMs),
  });
  fixture = started;
  other = await started.manage(async (management) => {
    const keys = await management.createKeys({
      organisationId: await management.createOrganisation('Other'),
      label: 'web',
      permissions: ['assets'],
      methods: [],
      expiresAt: null,
      rateLimit: null,
      clientRateLimit: null,
    });
    return keys.secret;
  });
  return started;
}

/** Answers what waits, and from now on at once. */
function answerAll(): void {
  stuck.handler = (_, response) => response.end('{}');
  for (const response of held) response.end('{}');
}

function ask({ gateway, keys }: GatewayFixture, key = keys.secret, signal?: AbortSignal) {
  return outcomeOf(send(`${gateway.url}/assets`, { headers: bearer(key), signal: signal ?? null }));
}

/** Sends a body whose end comes when the test says so. */
function askSlowly({ gateway, keys }: GatewayFixture) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const body = writable.getWriter();
  void body.write(Buffer.from('{'));
  const headers = { ...bearer(keys.secret), 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: readable, duplex: 'half' as const };
  const asked = outcomeOf(send(`${gateway.url}/prices`, init));
  return {
    ...asked,
    finish: () => {
      void body.write(Buffer.from('}'));
      void body.close();
    },
  };
}

function outcomeOf(sent: ReturnType<typeof send>) {
  const outcome = { status: undefined as number | undefined, retryAfter: null as string | null };
  const answered = sent
    .then(({ status, headers }) => {
      Object.assign(outcome, { status, retryAfter: headers.get('retry-after') });
    })
    .catch(() => undefined);
  return { outcome, answered };
}
type Asked = ReturnType<typeof ask>;

const withStatus = (asked: Asked[], status: number | undefined): Asked[] =>
  asked.filter(({ outcome }) => outcome.status === status);

async function queueOf({ gateway }: GatewayFixture): Promise<{ active: number; queued: number }> {
  const metrics = await gateway.context.metrics.metrics();
  const valueOf = (state: string): number => {
    const labels = `service="catalogue",timeout="normal",state="${state}"`;
    return Number(metrics.split(`gateway_upstream_requests{${labels}} `)[1]?.split('\n')[0]);
  };
  return { active: valueOf('active'), queued: valueOf('queued') };
}

async function bodyBytesOf({ gateway }: GatewayFixture): Promise<number> {
  const metrics = await gateway.context.metrics.metrics();
  return Number(metrics.split('\ngateway_request_body_bytes ')[1]?.split('\n')[0]);
}

/** Sends a flood to the service that does not answer. */
async function flood(started: GatewayFixture): Promise<Asked[]> {
  const asked = Array.from({ length: FLOOD }, () => ask(started));
  await eventually(() => {
    expect(withStatus(asked, 503)).toHaveLength(FLOOD - CONNECTIONS - PLACES);
  });
  return asked;
}

describe('a service that does not answer', () => {
  it('gets a bounded queue: more requests are 503 at once, and none reaches the service', async () => {
    const started = await start(60_000);
    const before = stuck.received.length;
    const asked = await flood(started);
    const refused = withStatus(asked, 503);
    expect(new Set(refused.map(({ outcome }) => outcome.retryAfter))).toEqual(new Set(['2']));
    expect(await queueOf(started)).toEqual({ active: CONNECTIONS, queued: PLACES });
    expect(stuck.received.length - before).toBe(CONNECTIONS);
    const metrics = await started.gateway.context.metrics.metrics();
    expect(metrics).toContain(
      `gateway_upstream_failures_total{service="catalogue",failure="overloaded"} ${refused.length}`,
    );
    answerAll();
    await Promise.all(asked.map(({ answered }) => answered));
    expect(withStatus(asked, 200)).toHaveLength(CONNECTIONS + PLACES);
    expect(await queueOf(started)).toEqual({ active: 0, queued: 0 });
  });

  it('stops neither the routes of other services nor other organisations', async () => {
    const started = await start(60_000);
    const asked = await flood(started);
    const status = `${started.gateway.url}/payments/methods`;
    expect((await send(status, { headers: bearer(started.keys.secret) })).status).toBe(200);
    const before = held.length;
    const others = ask(started, other);
    await eventually(() => expect(held).toHaveLength(before + 1));
    held.at(-1)?.end('{}');
    await others.answered;
    expect(others.outcome.status).toBe(200);
    expect(withStatus(asked, 200)).toEqual([]);
  });

  it('keeps no request beyond the deadline, which counts from its arrival', async () => {
    const started = await start(300);
    const before = stuck.received.length;
    const asked = Array.from({ length: CONNECTIONS + PLACES }, () => ask(started));
    await eventually(() => expect(withStatus(asked, 503)).toHaveLength(PLACES));
    expect(await queueOf(started)).toEqual({ active: CONNECTIONS, queued: 0 });
    expect(stuck.received.length - before).toBe(CONNECTIONS);
  });

  it('refuses a request at once whose body came after its deadline', async () => {
    const started = await start(500);
    for (let count = 0; count < CONNECTIONS; count += 1) ask(started);
    await eventually(() => expect(held).toHaveLength(CONNECTIONS));
    const slow = askSlowly(started);
    await eventually(async () => expect(await bodyBytesOf(started)).toBeGreaterThan(0));
    // It arrives later, so that both deadlines have passed once it is refused.
    const later = ask(started);
    await later.answered;
    expect(later.outcome.status).toBe(503);
    slow.finish();
    const state = await eventually(async () => {
      const { queued } = await queueOf(started);
      const { status } = slow.outcome;
      if (queued === 0 && status === undefined) throw new Error('neither queued nor answered');
      return { queued, status };
    });
    expect(state).toEqual({ queued: 0, status: 503 });
  });

  it('gives the place of a client that leaves to the next one', async () => {
    const started = await start(60_000);
    const asked = Array.from({ length: CONNECTIONS }, () => ask(started));
    await eventually(() => expect(held).toHaveLength(CONNECTIONS));
    const leaving = new AbortController();
    const gone = Array.from({ length: PLACES }, () =>
      ask(started, started.keys.secret, leaving.signal),
    );
    await eventually(async () => expect((await queueOf(started)).queued).toBe(PLACES));
    leaving.abort();
    await Promise.all(gone.map(({ answered }) => answered));
    await eventually(async () => expect((await queueOf(started)).queued).toBe(0));
    const before = stuck.received.length;
    const next = ask(started);
    await eventually(async () => expect((await queueOf(started)).queued).toBe(1));
    answerAll();
    await next.answered;
    expect(next.outcome.status).toBe(200);
    await Promise.all(asked.map(({ answered }) => answered));
    expect(withStatus(asked, 200)).toHaveLength(CONNECTIONS);
    expect(stuck.received.length - before).toBe(1);
  });
});
