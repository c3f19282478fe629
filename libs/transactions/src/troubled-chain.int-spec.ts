import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, reorganise } from '@bascule/testing';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';
import { startRollupNode } from './testing/rollup-node.fixture.js';

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;

describe('sending on a troubled chain', () => {
  let bench: Bench;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const pay = (replica: Replica, reference: string, to: `0x${string}`) =>
    replica.record({
      chain: 'alphanet',
      reference,
      to,
      data: '0x',
      value: 1n,
    });
  const attemptsOf = (replica: Replica, reference: string): Promise<AttemptRow[]> =>
    replica.dataSource.query(
      `SELECT a.number, a.purpose, a.hash, a.max_fee_per_gas, a.broadcast_at
       FROM chain_transaction_attempts a JOIN chain_transactions t ON t.id = a.transaction_id
       WHERE t.reference = $1 ORDER BY a.number`,
      [reference],
    );

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(async () => {
    await bench.stopReplicas();
    await bench.resumeMining();
  });
  afterAll(() => bench.stop());

  it('replaces a slow transaction with the same nonce and higher fees', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { replaceAfterMs: 300 });
    const to = recipient();
    await bench.stopMining();
    await pay(replica, 'waiting', to);
    replica.work();
    await eventually(async () => {
      const attempts = await attemptsOf(replica, 'waiting');
      expect(attempts.length).toBeGreaterThan(1);
      expect(attempts[1]?.broadcast_at).not.toBeNull();
    });
    await bench.resumeMining();
    await eventually(() => expect(replica.of('waiting')).toHaveLength(1));
    const attempts = await attemptsOf(replica, 'waiting');
    const [first, second] = attempts;
    expect(BigInt(second?.max_fee_per_gas ?? 0) * 10n).toBeGreaterThan(
      BigInt(first?.max_fee_per_gas ?? 0) * 11n,
    );
    const mined = replica.of('waiting')[0]?.hash;
    expect(attempts.slice(1).map(({ hash }) => hash)).toContain(mined);
    const replaced = replica.factsOf('waiting').filter(({ kind }) => kind === 'replaced');
    expect(replaced.map(({ hash }) => hash)).toEqual(attempts.slice(1).map(({ hash }) => hash));
    expect(await bench.node.getBalance({ address: to })).toBe(1n);
    expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
  });

  it('replaces only the next nonce of the chain', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { replaceAfterMs: 300 });
    await bench.stopMining();
    await pay(replica, 'head-of-line', recipient());
    await pay(replica, 'behind-it', recipient());
    replica.work();
    await eventually(async () => {
      expect((await attemptsOf(replica, 'head-of-line')).length).toBeGreaterThan(1);
    });
    expect(await attemptsOf(replica, 'behind-it')).toHaveLength(1);
  });

  it('resends a transaction after a reorg', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey);
    const to = recipient();
    await bench.stopMining();
    await pay(replica, 'reorganised', to);
    await replica.sender.broadcast('reorganised');
    await bench.node.mine({ blocks: 1 });
    expect(await bench.node.getBalance({ address: to })).toBe(1n);
    await reorganise(bench.rpcUrl, 1);
    expect(await bench.node.getBalance({ address: to })).toBe(0n);
    replica.work();
    await bench.resumeMining();
    await eventually(() => expect(replica.of('reorganised')).toHaveLength(1));
    expect(replica.of('reorganised')[0]?.status).toBe('success');
    expect(await bench.node.getBalance({ address: to })).toBe(1n);
  });

  it('resends every missing transaction after a reorg of final blocks', async () => {
    const key = await bench.fundedKey();
    const replica = (await start(key.privateKey, { signerCheckMs: 200 })).work();
    const [early, late] = [recipient(), recipient()];
    const snapshot = await bench.node.snapshot();
    await pay(replica, 'lost', early);
    await eventually(async () => {
      expect((await replica.sender.find('lost'))?.status).toBe('success');
    });
    await bench.node.revert({ id: snapshot });
    expect(await bench.node.getTransactionCount({ address: key.address })).toBe(0);
    await eventually(async () => {
      expect(await bench.node.getBalance({ address: early })).toBe(1n);
    });
    await pay(replica, 'after', late);
    await eventually(async () => {
      expect(await bench.node.getBalance({ address: late })).toBe(1n);
    });
  });

  it('fills an unrecorded nonce with a self-transfer', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { signerCheckMs: 200 });
    await replica.dataSource.query(
      `INSERT INTO chain_signers (id, chain, address, next_nonce)
       VALUES (gen_random_uuid(), 'alphanet', $1, 2)`,
      [key.address],
    );
    const to = recipient();
    await pay(replica, 'behind-a-gap', to);
    replica.work();
    await eventually(async () => {
      expect(await bench.node.getBalance({ address: to })).toBe(1n);
    });
    expect(await bench.node.getTransactionCount({ address: key.address })).toBe(3);
  });

  it('reports a transaction as dropped when another one used its nonce', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey);
    const to = recipient();
    await pay(replica, 'overtaken', to);
    const wallet = createWalletClient({
      account: key,
      chain: bench.chain.anyNode.client.chain,
      transport: http(bench.chain.anyNode.client.chain.rpcUrls.default.http[0]),
    });
    const foreign = await wallet.sendTransaction({ to: recipient(), value: 7n });
    await bench.node.waitForTransactionReceipt({ hash: foreign });
    replica.work();
    await eventually(() => {
      expect(replica.of('overtaken')[0]).toEqual({
        status: 'dropped',
        hash: null,
        receipt: null,
      });
    });
    expect(await bench.node.getBalance({ address: to })).toBe(0n);
  });

  it('cancels a transaction that every node refuses, and continues', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey);
    const to = recipient();
    await pay(replica, 'impossible', to);
    await pay(replica, 'possible', to);
    // The block's gas limit fell below the signed gas limit.
    await bench.node.setBlockGasLimit({ gasLimit: 25_000n });
    replica.work();
    await eventually(() => {
      expect(replica.of('impossible')[0]?.status).toBe('dropped');
    });
    await bench.node.setBlockGasLimit({ gasLimit: 30_000_000n });
    await eventually(() => expect(replica.of('possible')).toHaveLength(1));
  });

  it('cancels with enough gas on a rollup with extra charges', async () => {
    const rollup = await startRollupNode(bench.rpcUrl);
    try {
      const key = await bench.fundedKey();
      const replica = await start(key.privateKey, {
        rpcUrls: [rollup.url],
        definition: { gasIncludesData: true },
      });
      rollup.surcharge = 0n;
      await pay(replica, 'too-small', recipient());
      rollup.surcharge = 50_000n;
      replica.work();
      await eventually(() => {
        expect(replica.of('too-small')[0]?.status).toBe('dropped');
      });
      expect(rollup.refused).toBeGreaterThan(0);
      expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
    } finally {
      await rollup.stop();
    }
  });
});

interface AttemptRow {
  number: number;
  purpose: string;
  hash: string;
  max_fee_per_gas: string;
  broadcast_at: Date | null;
}
