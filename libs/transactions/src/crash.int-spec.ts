import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Bench } from './testing/sending-stage.fixture.js';
import type { SendingPlan } from './testing/sending-stage.fixture.js';

const LOADER = join(import.meta.dirname, '../../../tools/jest/source-process.mjs');
const STAGE = new URL('./testing/sending-stage.fixture.ts', import.meta.url).href;

/** Records and sends one transaction. */
const PROGRAM = `
  const { replicaOf } = await import(${JSON.stringify(STAGE)});
  const { privateKey, reference, to, isUncommitted, ...plan } = JSON.parse(process.env.SENDING_PLAN);
  const { sender } = await replicaOf(plan, privateKey);
  const request = { chain: 'alphanet', reference, to, data: '0x', value: 1n };
  await sender.record(request, async (_, reserve) => {
    await reserve();
    if (isUncommitted) process.kill(process.pid, 'SIGKILL');
  });
  await sender.broadcast(reference);`;

/** Resolves to the signal that ended the process. */
async function endOf(plan: SendingPlan, point: string): Promise<NodeJS.Signals | null> {
  const flags = ['--conditions=@bascule/source', '--import', LOADER, '--input-type=module'];
  const child = spawn(process.execPath, [...flags, '-e', PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      SENDING_PLAN: JSON.stringify(plan),
      FAULT_POINTS_ARMED: '1',
      FAULT_POINT: point,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

describe('sending from a process that is killed', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.stop());

  const kill = async (point: string, isUncommitted = false) => {
    const key = await bench.fundedKey();
    const reference = `killed at ${point}`;
    const to = privateKeyToAccount(generatePrivateKey()).address;
    const plan = { ...bench.plan, privateKey: key.privateKey, reference, to, isUncommitted };
    expect(await endOf(plan, point)).toBe('SIGKILL');
    const heir = await bench.replica(key.privateKey);
    return { key, reference, to, heir };
  };
  const attemptsOf = async (
    heir: Awaited<ReturnType<typeof kill>>['heir'],
    reference: string,
  ): Promise<number> => {
    const rows: unknown[] = await heir.dataSource.query(
      `SELECT 1 FROM chain_transaction_attempts a JOIN chain_transactions t ON t.id = a.transaction_id
       WHERE t.reference = $1`,
      [reference],
    );
    return rows.length;
  };

  it.each([
    ['transactions.reserved', 0],
    ['transactions.signed', 0],
    ['transactions.recorded', 1],
    ['transactions.broadcast', 1],
  ])('is finished once by another process (%s)', async (point, stored) => {
    const { key, reference, to, heir } = await kill(point);
    try {
      expect(await attemptsOf(heir, reference)).toBe(stored);
      expect(await heir.sender.find(reference)).toMatchObject({ status: 'pending' });
      heir.work();
      await eventually(() => expect(heir.of(reference)).toMatchObject([{ status: 'success' }]));
      expect(await attemptsOf(heir, reference)).toBe(1);
      expect(await bench.node.getBalance({ address: to })).toBe(1n);
      expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
    } finally {
      await heir.stop();
    }
  });

  it('leaves its nonce to the next one when it is killed before the commit', async () => {
    const { key, reference, to, heir } = await kill('before the commit', true);
    try {
      expect(await heir.sender.find(reference)).toBeNull();
      await heir.record({ chain: 'alphanet', reference, to, data: '0x', value: 1n });
      heir.work();
      await eventually(() => expect(heir.of(reference)).toMatchObject([{ status: 'success' }]));
      expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
    } finally {
      await heir.stop();
    }
  });
});
