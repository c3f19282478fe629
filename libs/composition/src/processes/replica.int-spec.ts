import { freePort, isAlive } from '@bascule/local-stack';
import { eventually } from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOrphanedReplica, Replica } from './replica.js';

/** The part of a service that a supervisor sees: ready while a file exists, ends on SIGTERM. */
const SERVICE = `
  const { createServer } = require('node:http');
  const { existsSync } = require('node:fs');
  console.log('started', process.pid);
  if (existsSync(process.env.BROKEN)) process.exit(3);
  createServer((request, response) => {
    if (existsSync(process.env.LATE)) return console.log('missed');
    console.log('answered');
    response.writeHead(existsSync(process.env.READY) ? 200 : 503).end('database: away');
  }).listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => {
    if (existsSync(process.env.STUBBORN)) return;
    console.log('ended', process.pid);
    process.exit(0);
  });`;

let directory: string;
let replica: Replica;
let changes: number;
/** The failures in a row before each restart. */
let failures: number[];
const file = (name: string) => join(directory, name);
const set = (name: string, isSet: boolean) =>
  isSet ? writeFileSync(file(name), '') : rmSync(file(name), { force: true });
const log = () => readFileSync(file('payment-1.log'), 'utf8');
const probes = (outcome: 'missed' | 'answered') => log().split(outcome).length - 1;
const starts = () => [...log().matchAll(/started \d+/g)].length;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bascule-replica-'));
  writeFileSync(file('service.cjs'), SERVICE);
  changes = 0;
  failures = [];
  const port = await freePort();
  replica = new Replica({
    service: 'payment',
    replica: 1,
    port,
    operationsPort: port,
    isBalanced: true,
    program: file('service.cjs'),
    environment: {
      PORT: String(port),
      READY: file('ready'),
      BROKEN: file('broken'),
      STUBBORN: file('stubborn'),
      LATE: file('late'),
    },
    logFile: file('payment-1.log'),
    pidFile: file('replicas/payment-1.pid'),
    stopWithinMs: 5_000,
    changed: () => (changes += 1),
    restartDelayMs: (inARow) => {
      failures.push(inARow);
      return 20;
    },
  });
});
afterEach(async () => {
  await replica.stop();
  rmSync(directory, { recursive: true });
});

const becomesReady = () => eventually(() => expect(replica.isReady).toBe(true));

describe('Replica', () => {
  it('is ready while its process reports ready, and has the reason otherwise', async () => {
    replica.start();
    await eventually(() => expect(replica.state).toBe('database: away'));
    set('ready', true);
    await becomesReady();
    const before = changes;
    set('ready', false);
    await eventually(() => expect(replica.isReady).toBe(false));
    expect(changes).toBeGreaterThan(before);
  });

  it('stays ready while two probes in a row are not answered, and not for a third', async () => {
    set('ready', true);
    replica.start();
    await becomesReady();
    set('late', true);
    // The second probe begins after the first has been given up.
    await eventually(() => expect(probes('missed')).toBe(2), { timeoutMs: 20_000 });
    expect(replica.isReady).toBe(true);
    set('late', false);
    const answered = probes('answered');
    await eventually(() => expect(probes('answered')).toBeGreaterThan(answered + 1));
    expect(replica.isReady).toBe(true);
    set('late', true);
    await eventually(() => expect(replica.state).toBe('no response'), { timeoutMs: 20_000 });
    expect(probes('missed')).toBeGreaterThanOrEqual(5);
  }, 60_000);

  it('restarts a crashed process and reports the new process id', async () => {
    set('ready', true);
    replica.start();
    await becomesReady();
    const { pid = 0 } = replica;
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(replica.pid).toBeUndefined(), { intervalMs: 5 });
    expect(replica.isReady).toBe(false);
    await becomesReady();
    expect(replica.pid).not.toBe(pid);
    expect(readFileSync(file('replicas/payment-1.pid'), 'utf8')).toBe(String(replica.pid));
  });

  it('counts failures in a row for the restart delay, until it has been ready', async () => {
    set('broken', true);
    replica.start();
    await eventually(() => expect(starts()).toBe(5));
    set('broken', false);
    set('ready', true);
    await becomesReady();
    const count = failures.length;
    expect(failures).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    process.kill(replica.pid ?? 0, 'SIGKILL');
    await eventually(() => expect(failures).toHaveLength(count + 1));
    expect(failures.at(-1)).toBe(1);
  });

  it('restarts after a graceful end, and resolves once it is ready', async () => {
    set('ready', true);
    replica.start();
    await becomesReady();
    const { pid } = replica;
    const restarting = replica.restart();
    expect(replica.isReady).toBe(false);
    await restarting;
    expect(replica.isReady).toBe(true);
    expect(replica.pid).not.toBe(pid);
    expect(log()).toContain(`ended ${pid}`);
    expect(starts()).toBe(2);
  });

  it('restarts once, also when its process has just crashed', async () => {
    set('ready', true);
    replica.start();
    await becomesReady();
    process.kill(replica.pid ?? 0, 'SIGKILL');
    await eventually(() => expect(replica.pid).toBeUndefined(), { intervalMs: 5 });
    await replica.restart();
    const { pid } = replica;
    expect(starts()).toBe(2);
    process.kill(pid ?? 0, 'SIGKILL');
    await eventually(() => expect(starts()).toBe(3));
    await becomesReady();
    expect(starts()).toBe(3);
  });

  it('does not restart after a stop, and is killed if it ignores the signal', async () => {
    set('ready', true);
    set('stubborn', true);
    replica.start();
    await becomesReady();
    const { pid = 0 } = replica;
    await replica.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(file('replicas/payment-1.pid'))).toBe(false);
    expect(starts()).toBe(1);
  });

  it('ends processes left by a killed supervisor, and spares others with the same process id', async () => {
    replica.start();
    await eventually(() => expect(starts()).toBe(1));
    const { pid = 0 } = replica;
    const pidFile = file('replicas/payment-1.pid');
    const other = file('replicas/other.pid');
    writeFileSync(other, String(process.pid));
    await endOrphanedReplica(other, 500);
    await endOrphanedReplica(pidFile, 500);
    expect(isAlive(pid)).toBe(false);
    await endOrphanedReplica(pidFile, 500);
  });
});
