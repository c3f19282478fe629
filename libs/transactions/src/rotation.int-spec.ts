import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';

interface Sent {
  reference: string;
  signer: string;
  nonce: string;
  status: string;
  attempts: number;
}

const BEFORE = 10;
const DURING = 10;
const AFTER = 10;

describe('the rotation of a key', () => {
  let bench: Bench;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const sentBy = (replica: Replica): Promise<Sent[]> =>
    replica.dataSource.query(
      `SELECT reference, signer, nonce, status,
         (SELECT count(*)::int FROM chain_transaction_attempts WHERE transaction_id = t.id) AS attempts
       FROM chain_transactions t ORDER BY signer, nonce`,
    );

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(async () => {
    await bench.stopReplicas();
  });
  afterAll(() => bench.stop());

  it('loses and repeats nothing in the middle of a load, and replaces what the old key has signed', async () => {
    const [old, next] = [await bench.fundedKey(), await bench.fundedKey()];
    const to = privateKeyToAccount(generatePrivateKey()).address;
    const pay = async (replica: Replica, reference: string) => {
      await replica.record({ chain: 'alphanet', reference, to, data: '0x', value: 1n });
      await replica.sender.broadcast(reference);
    };
    const load = (replica: Replica, name: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => pay(replica, `${name} ${index}`)));

    const before = (await start({ keys: [old] })).work();
    await load(before, 'before', BEFORE);
    // From here on, transactions of the old key are slow.
    await bench.stopMining();
    await load(before, 'slow', 2);
    // One replica has the new configuration, the other one still uses the old key.
    const after = await start({ keys: [next], retired: [old] }, { replaceAfterMs: 300 });
    after.work();
    await Promise.all([load(before, 'old', DURING), load(after, 'new', DURING)]);
    await bench.stopReplicas(before);
    await eventually(async () => {
      const slow = (await sentBy(after)).filter(({ reference }) => reference.startsWith('slow'));
      expect(slow.map(({ attempts }) => attempts > 1)).toContain(true);
    });
    await load(after, 'after', AFTER);
    await bench.resumeMining();

    const total = BEFORE + 2 + 2 * DURING + AFTER;
    await eventually(async () => {
      const sent = await sentBy(after);
      expect(sent.filter(({ status }) => status === 'success')).toHaveLength(total);
    });
    const sent = await sentBy(after);
    expect(await bench.node.getBalance({ address: to })).toBe(BigInt(total));
    for (const { address } of [old, next]) {
      const nonces = sent.filter(({ signer }) => signer === address).map(({ nonce }) => nonce);
      expect(nonces.map(Number).sort((a, b) => a - b)).toEqual([...nonces.keys()]);
      expect(await bench.node.getTransactionCount({ address })).toBe(nonces.length);
    }
    const signedBy = (address: string) =>
      new Set(
        sent
          .filter(({ signer }) => signer === address)
          .map(({ reference }) => reference.split(' ')[0]),
      );
    expect(signedBy(old.address)).toEqual(new Set(['before', 'slow', 'old']));
    expect(signedBy(next.address)).toEqual(new Set(['new', 'after']));
  });
});
