import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, OtlpReceiver } from '@bascule/testing';
import { createServer, type ServerResponse } from 'node:http';
import { parseConfig } from '../parse-config.js';
import { createLogger } from '../logger.js';
import { currentTraceparent } from './active-trace.js';

import { continueTrace, enterTrace, withSpan } from './spans.js';
import { startTracing } from './start-tracing.js';
import { tracingEnv } from './tracing-config.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

const logger = createLogger({ service: 'test', level: 'silent' });
const start = (name: string, env: Record<string, string>) =>
  startTracing(parseConfig(env, tracingEnv), {
    name,
    instanceId: `${name}-1`,
    environment: 'test',
    logger,
  });

describe('spans with a configured endpoint', () => {
  let receiver: OtlpReceiver;
  let env: Record<string, string>;
  beforeEach(async () => {
    receiver = await OtlpReceiver.listen();
    env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  });
  afterEach(() => receiver.stop());

  const named = (name: string) => receiver.spans.find((span) => span.name === name);

  it('are exported as one tree, each as its service', async () => {
    const stops = [await start('one', env), await start('two', env)];
    const scope = enterTrace({
      service: 'one',
      name: 'GET',
      kind: 'server',
      attributes: { 'http.request.method': 'GET' },
      traceparent: TRACEPARENT,
    });
    const passedOn = await scope.run(() =>
      withSpan('ask', {}, async () => currentTraceparent(), 'client'),
    );
    scope.end({ name: 'GET /x', attributes: { 'http.route': '/x' } });
    await continueTrace(
      { service: 'two', name: 'process', kind: 'consumer', attributes: {}, traceparent: passedOn },
      () => withSpan('step', { count: 3 }, async () => undefined),
    );
    for (const stop of stops) await stop();
    const [server, client, consumer, step] = ['GET /x', 'ask', 'process', 'step'].map(named);
    expect(server).toMatchObject({ service: 'one', kind: 2, parentSpanId: '00f067aa0ba902b7' });
    expect(server?.attributes).toEqual({ 'http.request.method': 'GET', 'http.route': '/x' });
    expect(client).toMatchObject({ service: 'one', kind: 3, parentSpanId: server?.spanId });
    expect(consumer).toMatchObject({ service: 'two', kind: 5, parentSpanId: client?.spanId });
    expect(step).toMatchObject({ service: 'two', kind: 1, parentSpanId: consumer?.spanId });
    expect(step?.attributes).toEqual({ count: 3 });
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(receiver.asked[0]).toEqual({ path: '/v1/traces', type: 'application/json' });
  });

  it('start with a root span in a new trace', async () => {
    const stop = await start('one', env);
    const entry = { service: 'one', name: 'root', attributes: {}, traceparent: undefined };
    const traceparent = await continueTrace(entry, async () => currentTraceparent());
    await stop();
    expect(named('root')?.parentSpanId ?? '').toBe('');
    expect(traceparent).toBe(`00-${named('root')?.traceId}-${named('root')?.spanId}-01`);
  });

  it('name a failure by its error class, without its message', async () => {
    const stop = await start('one', env);
    const entry = { service: 'one', name: 'call', attributes: {}, traceparent: TRACEPARENT };
    await expect(
      continueTrace(entry, () => Promise.reject(new TypeError('at https://rpc.example/KEY'))),
    ).rejects.toThrow('KEY');
    await stop();
    expect(named('call')).toMatchObject({
      isFailure: true,
      attributes: { 'error.type': 'TypeError' },
    });
    expect(JSON.stringify(receiver.spans)).not.toContain('KEY');
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, '00'],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, '00'],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, '01'],
  ])('are sampled by %j', async (sampling, flags) => {
    const stop = await start('one', { ...env, ...sampling });
    const entry = { service: 'one', name: 'call', attributes: {}, traceparent: TRACEPARENT };
    const traceparent = await continueTrace(entry, async () => currentTraceparent());
    await stop();
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-${flags}$`));
    expect(receiver.spans).toHaveLength(Number(flags));
  });

  it('have the name that OTEL_SERVICE_NAME gives', async () => {
    const stop = await start('one', { ...env, OTEL_SERVICE_NAME: 'shop-one' });
    const entry = { service: 'one', name: 'call', attributes: {}, traceparent: undefined };
    await continueTrace(entry, async () => undefined);
    await stop();
    expect(named('call')?.service).toBe('shop-one');
  });

  it('are encoded as protobuf by default', async () => {
    const stop = await start('one', { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` });
    const entry = { service: 'one', name: 'call', attributes: {}, traceparent: undefined };
    await continueTrace(entry, async () => undefined);
    await stop();
    expect(receiver.asked).toEqual([{ path: '/v1/traces', type: 'application/x-protobuf' }]);
  });

  it('block nothing when the collector hangs', async () => {
    const held: ServerResponse[] = [];
    const hanging = createServer((_, response) => held.push(response));
    const port = await freePort();
    await new Promise<void>((resolve) => hanging.listen(port, '127.0.0.1', resolve));
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '600000';
    const stop = await start('one', {
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    });
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
    const entry = { service: 'one', name: 'call', attributes: {}, traceparent: TRACEPARENT };
    expect(await continueTrace(entry, async () => 7)).toBe(7);
    await stop();
    expect(held).toHaveLength(1);
    // A status that the exporter does not retry.
    held[0]?.writeHead(400, { connection: 'close' }).end();
    await new Promise((resolve) => hanging.close(resolve));
  });

  it('are not recorded when the SDK is disabled', async () => {
    const stop = await start('one', { ...env, OTEL_SDK_DISABLED: 'true' });
    const entry = { service: 'one', name: 'call', attributes: {}, traceparent: TRACEPARENT };
    await continueTrace(entry, async () => undefined);
    await stop();
    expect(receiver.asked).toEqual([]);
  });
});
