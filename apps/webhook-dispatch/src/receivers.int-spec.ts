import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually, freePort } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { paymentEvent, useDispatcher } from './testing/webhook-dispatch.fixture.js';

describe('the example receivers of docs/webhooks.md', () => {
  const { register, publish, call, query, deliveriesOf } = useDispatcher();
  const children: ChildProcess[] = [];
  let directory: string;
  let page: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'receivers-'));
    page = await readFile(resolve('docs/webhooks.md'), 'utf8');
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  });

  /** Returns the program of the page with this name. */
  const write = async (name: string): Promise<string> => {
    const [, rest = ''] = page.split(`<!-- ${name} -->`);
    const [, code = ''] = /```\w+\n([\s\S]*?)```/.exec(rest) ?? [];
    const file = join(directory, name);
    await writeFile(file, code);
    return file;
  };

  it.each([
    ['Node', process.execPath, 'receiver.mjs'],
    ['Python', 'python3', 'receiver.py'],
  ])('accept signed deliveries once, and nothing else: %s', async (_, program, name) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhooks`;
    const orgId = uuidv7();
    const webhook = await register(orgId, url);
    const child = spawn(program, [await write(name)], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        SIGNING_SECRET: webhook.signing_secret,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const post = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', headers, body: '{"id":"x","event":{}}' }).then(
        ({ status }) => status,
      );
    await eventually(async () => {
      expect(await post({})).toBe(401);
    });
    expect(await post({ 'x-service-signature': `v1=0x${'0'.repeat(64)}` })).toBe(401);

    const event = paymentEvent(orgId, { status: 'COMPLETE' });
    await publish(event);
    const delivered = (count: number) =>
      eventually(async () => {
        const deliveries = await deliveriesOf(webhook.id);
        expect(deliveries.map(({ status }) => status)).toEqual(Array(count).fill('DELIVERED'));
      });
    await delivered(1);
    // The same delivery twice more, then one that is signed with two secrets.
    const [{ id } = { id: '' }] = await deliveriesOf(webhook.id);
    for (let attempts = 2; attempts <= 3; attempts += 1) {
      await call('POST', { path: `/deliveries/${id}/resend`, orgId });
      await eventually(async () => {
        expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'DELIVERED', attempts }]);
      });
    }
    await call('POST', { path: '/rotate-secret', orgId, body: { label: webhook.label } });
    const failed = paymentEvent(orgId, { status: 'FAILED' });
    await publish(failed);
    await delivered(2);
    expect(printed.trim().split('\n')).toEqual([
      `WORKFLOW_COMPLETED ${event.subject}`,
      `WORKFLOW_FAILED ${failed.subject}`,
    ]);
    const codes = await query<{ code: number }>(
      `SELECT DISTINCT status_code AS code FROM webhook_attempts WHERE delivery_id IN
         (SELECT id FROM webhook_delivery_log WHERE webhook_id = $1)`,
      [webhook.id],
    );
    expect(codes).toEqual([{ code: 204 }]);
  });
});
