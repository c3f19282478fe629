import { freePort, PortInUseError } from '@bascule/local-stack';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Balancer, type Target } from './balancer.js';

let ready: Target[];
let port: number;
let balancer: Balancer;
let servers: Server[];

beforeEach(async () => {
  ready = [];
  servers = [];
  port = await freePort();
  balancer = new Balancer({
    service: 'payment',
    port,
    variable: 'PAYMENT_PORT',
    targets: () => ready,
  });
  await balancer.listen();
});
afterEach(async () => {
  await balancer.close();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A replica that sends its name on connect and echoes its input. */
async function aReplica(name: string, serve?: (socket: Socket) => void): Promise<Target> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    if (serve) {
      serve(socket);
      return;
    }
    socket.write(`${name}\n`);
    socket.pipe(socket);
  });
  const replicaPort = await freePort();
  await new Promise<void>((resolve) => server.listen(replicaPort, '127.0.0.1', resolve));
  servers.push(server);
  return { port: replicaPort };
}

const open = () => connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
const heard = async (socket: Socket) => String((await once(socket, 'data'))[0]).trim();

async function whoAnswers(): Promise<string> {
  const socket = open();
  const name = await heard(socket);
  socket.destroy();
  return name;
}

describe('Balancer', () => {
  it('gives each new connection to the next ready replica', async () => {
    ready = [await aReplica('one'), await aReplica('two')];
    const names = [await whoAnswers(), await whoAnswers(), await whoAnswers(), await whoAnswers()];
    expect(names.filter((name) => name === 'one')).toHaveLength(2);
    expect(names.filter((name) => name === 'two')).toHaveLength(2);
  });

  it('keeps a connection when its replica stops being ready, and gives it no new one', async () => {
    const [one, two] = [await aReplica('one'), await aReplica('two')];
    ready = [one];
    const kept = open();
    expect(await heard(kept)).toBe('one');
    ready = [two];
    expect([await whoAnswers(), await whoAnswers()]).toEqual(['two', 'two']);
    kept.write('still there?');
    expect(await heard(kept)).toBe('still there?');
    kept.destroy();
  });

  it('connects to the next replica when one refuses', async () => {
    const gone = { port: await freePort() };
    const there = await aReplica('there');
    ready = [gone, there, { port: await freePort() }];
    expect([await whoAnswers(), await whoAnswers(), await whoAnswers()]).toEqual([
      'there',
      'there',
      'there',
    ]);
  });

  it.each<[string, () => Promise<Target[]>]>([
    ['none is ready', async () => []],
    ['all refuse', async () => [{ port: await freePort() }]],
  ])('closes a connection when %s', async (_when, targets) => {
    ready = await targets();
    const [error] = (await once(open(), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('delivers the rest of a half-closed connection', async () => {
    const long = 'x'.repeat(4_000_000);
    const target = await aReplica('late', (socket) => {
      void text(socket).then((question) => socket.end(`${question}: ${long}`));
    });
    ready = [target];
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.end('question');
    expect(await text(client)).toBe(`question: ${long}`);
  });

  it('resets the client’s connection when its replica resets', async () => {
    const target = await aReplica('short', (socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    ready = [target];
    const client = open();
    client.write('hello');
    const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('names a busy port and the variable that changes it', async () => {
    const second = new Balancer({
      service: 'payment',
      port,
      variable: 'PAYMENT_PORT',
      targets: () => ready,
    });
    await expect(second.listen()).rejects.toThrow(PortInUseError);
    await expect(second.listen()).rejects.toThrow('PAYMENT_PORT');
  });
});
