import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { abandonUnsigned, waitingForKeys } from './abandoned-reservations.js';
import { Bench } from './testing/sending-stage.fixture.js';
import type { Replica } from './testing/sending-stage.fixture.js';
import { RemoteKey } from './testing/test-keys.fixture.js';

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;

const run = promisify(execFile);

describe('reservations of a lost key', () => {
  let bench: Bench;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const pay = (replica: Replica, reference: string, to: Address = recipient()) =>
    replica.record({
      ...{ chain: 'alphanet', reference, to, data: '0x', value: 1n, gasLimit: 50_000n },
    });
  const abandon = async ({ dataSource }: Replica, signer: Address): Promise<string[]> => {
    const key = { chain: 'alphanet', signer };
    const abandoned = await abandonUnsigned(dataSource, key, 'operator test');
    return abandoned.map(({ reference }) => reference).sort();
  };
  const purposesOf = async ({ dataSource }: Replica, reference: string): Promise<string[]> => {
    const rows: { purpose: string }[] = await dataSource.query(
      `SELECT a.purpose FROM chain_transaction_attempts a
       JOIN chain_transactions t ON t.id = a.transaction_id WHERE t.reference = $1 ORDER BY a.number`,
      [reference],
    );
    return rows.map(({ purpose }) => purpose);
  };
  const settles = (replica: Replica, reference: string, status: string) =>
    eventually(() => expect(replica.of(reference)).toMatchObject([{ status }]));
  const remoteKey = async () => new RemoteKey(await bench.fundedKey());

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stopReplicas());
  afterAll(() => bench.stop());

  it('are dropped once an operator gives them up, so that their work gets another key', async () => {
    const [lost, key] = [await remoteKey(), await bench.fundedKey()];
    const before = await start({ keys: [lost.account] });
    await pay(before, 'sent before the loss');
    before.work();
    await settles(before, 'sent before the loss', 'success');
    lost.fail();
    await pay(before, 'lost 1');
    await pay(before, 'lost 2');
    await bench.stopReplicas(before);
    const heir = (await start({ keys: [key] })).work();
    expect(await waitingForKeys(heir.dataSource)).toMatchObject([
      { chain: 'alphanet', signer: lost.account.address, waiting: 2, unsigned: 2 },
    ]);
    await pay(heir, 'of the new key');
    expect(await abandon(heir, lost.account.address)).toEqual(['lost 1', 'lost 2']);
    for (const reference of ['lost 1', 'lost 2']) await settles(heir, reference, 'dropped');
    await settles(heir, 'of the new key', 'success');
    expect(await abandon(heir, lost.account.address)).toEqual([]);
    expect(await waitingForKeys(heir.dataSource)).toEqual([]);
  });

  it('stay dropped when nonces are compared, and only use their nonces when the key is found again', async () => {
    const [lost, key] = [await remoteKey(), await bench.fundedKey()];
    const before = await start({ keys: [lost.account] });
    lost.fail();
    const to = recipient();
    await pay(before, 'given up', to);
    const heir = (await start({ keys: [key] }, { signerCheckMs: 100 })).work();
    await abandon(heir, lost.account.address);
    await settles(heir, 'given up', 'dropped');
    const checksOf = async (signer: Address): Promise<Date | undefined> => {
      const rows: { due_at: Date }[] = await heir.dataSource.query(
        'SELECT due_at FROM chain_signers WHERE address = $1',
        [signer],
      );
      return rows[0]?.due_at;
    };
    const last = await checksOf(lost.account.address);
    await eventually(async () => {
      const due = await checksOf(lost.account.address);
      expect(due?.getTime()).toBeGreaterThan((last?.getTime() ?? Infinity) + 200);
    });
    expect(await waitingForKeys(heir.dataSource)).toEqual([]);
    expect(heir.of('given up')).toHaveLength(1);
    lost.recover();
    const finder = await start({ keys: [lost.account] }, { signerCheckMs: 100 });
    await pay(finder, 'after the find');
    await bench.stopReplicas(heir);
    finder.work();
    await settles(finder, 'after the find', 'success');
    expect(await purposesOf(finder, 'given up')).toEqual(['cancellation']);
    expect(await bench.node.getBalance({ address: to })).toBe(0n);
  });

  it('get no signature that was under way', async () => {
    const lost = await remoteKey();
    const replica = await start({ keys: [lost.account] }, { signTimeoutMs: 600_000 });
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    lost.waitFor(() => gate);
    const to = recipient();
    await pay(replica, 'signed too late', to);
    const sent = replica.sender.broadcast('signed too late');
    await eventually(() => expect(lost.asked).toBe(1));
    expect(await abandon(replica, lost.account.address)).toEqual(['signed too late']);
    release();
    await sent;
    expect(await purposesOf(replica, 'signed too late')).toEqual([]);
    replica.work();
    await settles(replica, 'signed too late', 'dropped');
    expect(await purposesOf(replica, 'signed too late')).toEqual(['cancellation']);
    expect(await bench.node.getBalance({ address: to })).toBe(0n);
  });

  it('are listed and given up by the operator’s command', async () => {
    const lost = await remoteKey();
    const replica = await start({ keys: [lost.account] });
    await pay(replica, 'given up by the command');
    const command = async (...args: string[]): Promise<unknown[]> => {
      const env = { ...process.env, DATABASE_URL: bench.plan.database.url, OPERATOR: 'test' };
      const all = ['tools/operator.mjs', 'transactions', ...args, '--service', 'sending'];
      const { stdout } = await run(process.execPath, all, { cwd: resolve(), env });
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line));
    };
    const signer = lost.account.address;
    expect(await command('list')).toMatchObject([{ signer, waiting: 1, unsigned: 1 }]);
    const abandoned = await command('abandon', '--chain', 'alphanet', '--signer', signer);
    expect(abandoned).toEqual([{ reference: 'given up by the command', nonce: '0' }]);
    const [row]: unknown[] = await replica.dataSource.query(
      `SELECT abandoned_by FROM chain_transactions WHERE reference = 'given up by the command'`,
    );
    expect(row).toEqual({ abandoned_by: expect.stringMatching(/^operator test/) });
    await expect(
      command('abandon', '--chain', 'alphanet', '--signer', '0x1'),
    ).rejects.toMatchObject({ code: 2 });
    replica.work();
    await settles(replica, 'given up by the command', 'dropped');
  });

  it('are given up without what the key has signed', async () => {
    const key = await bench.fundedKey();
    const replica = await start({ keys: [key] });
    await pay(replica, 'signed in time');
    await replica.sender.broadcast('signed in time');
    expect(await abandon(replica, key.address)).toEqual([]);
    replica.work();
    await settles(replica, 'signed in time', 'success');
  });
});
