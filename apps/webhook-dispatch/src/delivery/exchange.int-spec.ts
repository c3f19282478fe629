import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { eventually } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

/** Server that counts its connections. */
interface Receiver {
  url: string;
  connections: number;
  requests: IncomingMessage[];
}

describe('the HTTP exchange with a receiver', () => {
  const { receiver, register, publish, query, deliveriesOf, attemptsOf } = useDispatcher({
    WEBHOOK_CONCURRENCY_PER_HOST: '1',
  });
  const servers: Server[] = [];
  const trusted = tls.getCACertificates('default');
  afterEach(() => {
    tls.setDefaultCACertificates(trusted);
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const listen = async (
    server: Server,
    scheme: string,
    event = 'connection',
  ): Promise<Receiver> => {
    const created: Receiver = { url: '', connections: 0, requests: [] };
    server.on(event, () => (created.connections += 1));
    server.on('request', (request: IncomingMessage) => created.requests.push(request));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    created.url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return created;
  };
  const certificate = (ip: string) =>
    generate([{ name: 'commonName', value: ip }], {
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip }] },
      ],
    });
  const withTls = async (ip: string): Promise<{ receiver: Receiver; cert: string }> => {
    const { cert, private: key } = await certificate(ip);
    const server = createHttpsServer({ cert, key }, (_, response) => response.end('thanks'));
    return { receiver: await listen(server, 'https', 'secureConnection'), cert };
  };
  const deliver = async (orgId: string, count = 1): Promise<void> => {
    for (let n = 0; n < count; n += 1) await publish(paymentEvent(orgId, { status: 'COMPLETE' }));
  };
  const expectAttempts = (webhookId: string, expected: object[]) =>
    eventually(async () => {
      expect(await attemptsOf(webhookId)).toMatchObject(expected);
    });

  it('is aborted with an untrusted certificate, or one of another host', async () => {
    const orgId = uuidv7();
    const unknown = await withTls('127.0.0.1');
    const misnamed = await withTls('127.0.0.9');
    tls.setDefaultCACertificates([...trusted, misnamed.cert]);
    const [first, second] = [
      await register(orgId, unknown.receiver.url),
      await register(orgId, misnamed.receiver.url),
    ];
    await deliver(orgId);
    await expectAttempts(first.id, [{ outcome: 'unreachable' }]);
    await expectAttempts(second.id, [{ outcome: 'unreachable' }]);
    const reasons = await query<{ reason: string }>(
      `SELECT reason FROM webhook_attempts WHERE delivery_id IN
         (SELECT id FROM webhook_delivery_log WHERE org_id = $1) ORDER BY reason`,
      [orgId],
    );
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ]);
    expect([...unknown.receiver.requests, ...misnamed.receiver.requests]).toEqual([]);
  });

  it('uses HTTP/1.1 on a persistent connection, with the specified headers', async () => {
    const orgId = uuidv7();
    const { receiver: target, cert } = await withTls('127.0.0.1');
    tls.setDefaultCACertificates([...trusted, cert]);
    const webhook = await register(orgId, target.url);
    await deliver(orgId, 5);
    const acknowledged = { outcome: 'acknowledged', status_code: 200 };
    await expectAttempts(webhook.id, Array<object>(5).fill(acknowledged));
    expect(target.requests).toHaveLength(5);
    // One, unless the machine was suspended for longer than the keep-alive.
    expect(target.connections).toBeLessThan(4);
    for (const { httpVersion, headers, method } of target.requests) {
      expect({ httpVersion, method }).toEqual({ httpVersion: '1.1', method: 'POST' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': expect.stringMatching(/^Bascule-Webhooks\/\d+\.\d+\.\d+$/),
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/),
      });
    }
  });

  it('is verified by the public library of Standard Webhooks', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const webhook = await register(orgId, target.url);
    await deliver(orgId);
    await eventually(() => {
      expect(target.requests).toHaveLength(1);
    });
    const [sent] = target.requests;
    const headers = Object.fromEntries(
      Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const verified = new StandardWebhook(webhook.signing_secret).verify(sent?.body ?? '', headers);
    expect(verified).toMatchObject({ id: headers['webhook-id'] });
  });

  it('has one deadline, also for a slow answer', async () => {
    const orgId = uuidv7();
    const trickle = createHttpServer((_, response) => {
      // A header line now and then, but never the end of the headers.
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => response.socket?.write('x-more: 1\r\n'), 100);
      response.socket?.once('close', () => clearInterval(timer));
    });
    const slowBody = createHttpServer((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 100);
      response.once('close', () => clearInterval(timer));
    });
    const [headers, body] = [await listen(trickle, 'http'), await listen(slowBody, 'http')];
    const ofHeaders = await register(orgId, headers.url);
    const ofBody = await register(orgId, body.url);
    await deliver(orgId);
    await expectAttempts(ofHeaders.id, [{ outcome: 'timeout' }]);
    // The status arrived in time and acknowledges; the body is not read.
    await expectAttempts(ofBody.id, [{ outcome: 'acknowledged', status_code: 200 }]);
  });

  it('stores the first 8 KiB of an answer and reads no more', async () => {
    const orgId = uuidv7();
    let written = 0;
    const endless = createHttpServer((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const chunk = 'x'.repeat(16_384);
      const pump = (): void => {
        while (!response.destroyed && written < 64_000_000) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', pump);
            return;
          }
        }
      };
      pump();
    });
    const target = await listen(endless, 'http');
    const webhook = await register(orgId, target.url);
    await deliver(orgId);
    await expectAttempts(webhook.id, [{ outcome: 'refused', status_code: 500 }]);
    const answers = await query<{ length: number; type: string }>(
      `SELECT length(answer) AS length, answer_type AS type FROM webhook_attempts
       WHERE delivery_id IN (SELECT id FROM webhook_delivery_log WHERE webhook_id = $1)`,
      [webhook.id],
    );
    expect(answers).toEqual([{ length: 8_192, type: 'text/plain' }]);
    expect(written).toBeLessThan(16_000_000);
  });

  it.each([
    ['Retry-After: 7200, which is longer than the next step', '7200', 7_200],
    ['the schedule where Retry-After is shorter', '5', 60],
    ['the schedule where Retry-After is beyond the day', '90000', 60],
  ])('is followed by %s', async (_, retryAfter, seconds) => {
    const orgId = uuidv7();
    const target = await receiver(() => ({ status: 429, headers: { 'retry-after': retryAfter } }));
    const webhook = await register(orgId, target.url);
    await deliver(orgId);
    await expectAttempts(webhook.id, [{ status_code: 429 }]);
    // Neither bound depends on how long this test took.
    const [due] = await query<{ sinceAttempt: number; fromNow: number }>(
      `SELECT extract(epoch FROM due_at - started_at)::float AS "sinceAttempt",
         extract(epoch FROM due_at - now())::float AS "fromNow"
       FROM webhook_deliveries JOIN webhook_attempts ON delivery_id = webhook_deliveries.id
       WHERE webhook_id = $1`,
      [webhook.id],
    );
    expect(due?.sinceAttempt).toBeGreaterThan(seconds * 0.97);
    expect(due?.fromNow).toBeLessThan(seconds * 1.03);
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'PENDING' }]);
  });
});
