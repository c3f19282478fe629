import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startLyingNode } from '@bascule/testing';
import { keccak256, parseGwei } from 'viem';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, setSignEntropy } from 'viem/accounts';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';
import { RemoteKey } from './testing/test-keys.fixture.js';

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;

interface AttemptRow {
  purpose: string;
  hash: Hex;
}

describe('signing', () => {
  let bench: Bench;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const pay = (
    replica: Replica,
    reference: string,
    terms: { maxCost?: bigint; value?: bigint; to?: Address } = {},
  ) =>
    replica.record({
      ...{ chain: 'alphanet', reference, to: recipient(), data: '0x', value: 1n },
      ...{ gasLimit: 50_000n, ...terms },
    });
  const attemptsOf = ({ dataSource }: Replica, reference: string): Promise<AttemptRow[]> =>
    dataSource.query(
      `SELECT a.purpose, a.hash FROM chain_transaction_attempts a
       JOIN chain_transactions t ON t.id = a.transaction_id WHERE t.reference = $1 ORDER BY a.number`,
      [reference],
    );
  /** Purposes of all attempts: a cancellation that is not mined at once is replaced. */
  const purposesOf = async (replica: Replica, reference: string): Promise<Set<string>> =>
    new Set((await attemptsOf(replica, reference)).map(({ purpose }) => purpose));
  const signerOf = async (
    { dataSource }: Replica,
    reference: string,
  ): Promise<string | undefined> => {
    const rows: { signer: string }[] = await dataSource.query(
      'SELECT signer FROM chain_transactions WHERE reference = $1',
      [reference],
    );
    return rows[0]?.signer;
  };
  const settles = (replica: Replica, reference: string, status = 'success') =>
    eventually(() => expect(replica.of(reference)).toMatchObject([{ status }]));
  const metric = (replica: Replica, name: string) => replica.registry.getSingleMetricAsString(name);
  const remoteKey = async () => new RemoteKey(await bench.fundedKey());
  const baseFee = async (gwei: string) => {
    await bench.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
    await bench.node.mine({ blocks: 1 });
  };

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(async () => {
    await bench.stopReplicas();
    await bench.resumeMining();
  });
  afterAll(() => bench.stop());

  it('holds no lock: the same key takes more work while a signature is under way', async () => {
    const key = await remoteKey();
    const replica = await start({ keys: [key.account] }, { signTimeoutMs: 600_000 });
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    key.waitFor(() => gate);
    await pay(replica, 'signed slowly');
    const sent = replica.sender.broadcast('signed slowly');
    await eventually(() => expect(key.asked).toBe(1));
    await pay(replica, 'beside it');
    await replica.dataSource.transaction((manager) =>
      manager.query('SELECT 1 FROM chain_signers WHERE address = $1 FOR UPDATE NOWAIT', [
        key.account.address,
      ]),
    );
    expect(await attemptsOf(replica, 'signed slowly')).toEqual([]);
    release();
    await sent;
    replica.work();
    await settles(replica, 'signed slowly');
    await settles(replica, 'beside it');
  });

  it.each([
    ['hangs', (key: RemoteKey) => key.hang()],
    ['fails', (key: RemoteKey) => key.fail()],
  ])('lets other keys go on while one %s, for which its reservations wait', async (how, spoil) => {
    const [away, present] = [await remoteKey(), await remoteKey()];
    const replica = await start({ keys: [away.account, present.account] }, { signTimeoutMs: 300 });
    spoil(away);
    const references = Array.from({ length: 6 }, (_, index) => `${how} ${index}`);
    for (const reference of references) await pay(replica, reference);
    const signers = await Promise.all(references.map((reference) => signerOf(replica, reference)));
    const ofAway = references.filter((_, index) => signers[index] === away.account.address);
    const ofPresent = references.filter((reference) => !ofAway.includes(reference));
    expect([ofAway.length, ofPresent.length]).toEqual([3, 3]);
    replica.work();
    for (const reference of ofPresent) await settles(replica, reference);
    const unavailable = `chain_signer_unavailable{signer="${away.account.address}"}`;
    await eventually(async () => {
      expect(await metric(replica, 'chain_signer_unavailable')).toContain(`${unavailable} 1`);
    });
    for (const reference of ofAway) expect(await attemptsOf(replica, reference)).toEqual([]);
    // New work prefers the key that signs.
    await pay(replica, `${how} meanwhile`);
    expect(await signerOf(replica, `${how} meanwhile`)).toBe(present.account.address);
    away.recover();
    for (const reference of ofAway) await settles(replica, reference);
    expect(await metric(replica, 'chain_signer_unavailable')).toContain(`${unavailable} 0`);
  });

  it('sends the stored signature alone where two replicas sign at once', async () => {
    const key = await bench.fundedKey();
    const [one, two] = [new RemoteKey(key), new RemoteKey(key)];
    const both = () => eventually(() => expect([one.asked, two.asked]).toEqual([1, 1]));
    for (const remote of [one, two]) remote.waitFor(both);
    const node = await startLyingNode(bench.rpcUrl);
    const sent = new Set<string>();
    // As a KMS does, so that the two signatures differ.
    setSignEntropy(true);
    node.lies.set('eth_sendRawTransaction', ({ params }, honest) => {
      sent.add(keccak256(params[0] as Hex));
      return honest();
    });
    try {
      const first = await start({ keys: [one.account] }, { rpcUrls: [node.url] });
      const second = await start({ keys: [two.account] }, { rpcUrls: [node.url] });
      await pay(first, 'signed twice');
      await Promise.all([
        first.sender.broadcast('signed twice'),
        second.sender.broadcast('signed twice'),
      ]);
      const stored = await attemptsOf(first, 'signed twice');
      expect(stored).toHaveLength(1);
      expect([...sent]).toEqual(stored.map(({ hash }) => hash));
      first.work();
      await settles(first, 'signed twice');
    } finally {
      // Deterministic again.
      setSignEntropy('0x');
      await node.stop();
    }
  });

  it('takes no outcome from what it read before another replica signed', async () => {
    const key = await bench.fundedKey();
    const node = await startLyingNode(bench.rpcUrl);
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    try {
      const late = await start({ keys: [key] }, { rpcUrls: [node.url] });
      const prompt = await start({ keys: [key] });
      await pay(prompt, 'signed elsewhere');
      node.requests.clear();
      for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) {
        node.lies.set(method, (_call, honest) => gate.then(honest));
      }
      late.work();
      await eventually(() => expect(node.requests.get('eth_blockNumber')).toBe(1));
      const before = await bench.node.getBlockNumber();
      await prompt.sender.broadcast('signed elsewhere');
      await eventually(async () => {
        expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
        expect(await bench.node.getBlockNumber()).toBeGreaterThan(before + 4n);
      });
      release();
      await settles(late, 'signed elsewhere');
    } finally {
      release();
      await node.stop();
    }
  });

  it('stores no signature of another key', async () => {
    const key = await remoteKey();
    const replica = await start({ keys: [key.account] });
    key.lie(await bench.fundedKey());
    await pay(replica, 'signed by another');
    await replica.sender.broadcast('signed by another');
    expect(key.asked).toBe(1);
    expect(await attemptsOf(replica, 'signed by another')).toEqual([]);
    key.recover();
    replica.work();
    await settles(replica, 'signed by another');
  });

  it('fills the nonce of a reservation that became too expensive meanwhile', async () => {
    const key = await remoteKey();
    const replica = await start({ keys: [key.account] }, { replaceAfterMs: 1 });
    await bench.stopMining();
    await baseFee('5');
    key.fail();
    await pay(replica, 'too late', { maxCost: 50_000n * parseGwei('14') });
    await pay(replica, 'behind it');
    await replica.sender.broadcast('too late');
    await baseFee('30');
    key.recover();
    replica.work();
    await eventually(async () => {
      expect(await purposesOf(replica, 'too late')).toEqual(new Set(['cancellation']));
    });
    await baseFee('1');
    await bench.resumeMining();
    await settles(replica, 'too late', 'dropped');
    await settles(replica, 'behind it');
  });

  it('only uses the nonce of a reservation that would revert by the time its key is back', async () => {
    const key = await remoteKey();
    const replica = await start({ keys: [key.account] }, { replaceAfterMs: 1 });
    const to = recipient();
    key.fail();
    await pay(replica, 'in vain', { to });
    await pay(replica, 'behind what is in vain');
    await replica.sender.broadcast('in vain');
    // Reverts every call: as after the withdrawal of a payment's money, or the end of its declaration.
    await bench.node.setCode({ address: to, bytecode: '0x60006000fd' });
    key.recover();
    replica.work();
    await settles(replica, 'in vain', 'dropped');
    expect(await purposesOf(replica, 'in vain')).toEqual(new Set(['cancellation']));
    await settles(replica, 'behind what is in vain');
  });

  it('only uses the nonce of a reservation whose work is held by the time its key is back', async () => {
    const key = await remoteKey();
    const held = new Set<string>();
    const replica = await start(
      { keys: [key.account] },
      { isHeld: (reference) => Promise.resolve(held.has(reference)) },
    );
    const to = recipient();
    key.fail();
    await pay(replica, 'held', { to });
    await pay(replica, 'behind what is held');
    await replica.sender.broadcast('held');
    held.add('held');
    key.recover();
    replica.work();
    await settles(replica, 'held', 'dropped');
    expect(await purposesOf(replica, 'held')).toEqual(new Set(['cancellation']));
    await settles(replica, 'behind what is held');
    expect(await bench.node.getBalance({ address: to })).toBe(0n);
  });

  it('counts the transactions whose key is gone, until it is configured as retired', async () => {
    const [gone, key] = [await bench.fundedKey(), await bench.fundedKey()];
    const before = await start({ keys: [gone] });
    await pay(before, 'of a key that is gone');
    const without = (await start({ keys: [key] })).work();
    await pay(without, 'of the new key');
    await settles(without, 'of the new key');
    const keyless = `chain_transactions_keyless{chain="alphanet",signer="${gone.address}"}`;
    expect(await metric(without, 'chain_transactions_keyless')).toContain(`${keyless} 1`);
    await before.dataSource.query(
      `UPDATE chain_transactions SET created_at = now() - interval '1 hour' WHERE reference = $1`,
      ['of a key that is gone'],
    );
    const unsigned = `chain_transactions_unsigned{chain="alphanet",signer="${gone.address}"}`;
    expect(await metric(without, 'chain_transactions_unsigned')).toContain(`${unsigned} 1`);
    const ages = await metric(without, 'chain_transactions_oldest_seconds');
    const [, oldest] = new RegExp(`${gone.address}"} ([0-9.]+)`).exec(ages) ?? [];
    expect(Number(oldest)).toBeGreaterThanOrEqual(3_600);
    const heir = await start({ keys: [key], retired: [gone] });
    expect(await metric(heir, 'chain_transactions_keyless')).toContain(`${keyless} 0`);
    await heir.sender.broadcast('of a key that is gone');
    heir.work();
    await eventually(() => {
      const outcomes = [
        ...heir.of('of a key that is gone'),
        ...without.of('of a key that is gone'),
      ];
      expect(outcomes).toMatchObject([{ status: 'success' }]);
    });
  });

  it('passes over a key that cannot pay', async () => {
    const [poor, rich] = [privateKeyToAccount(generatePrivateKey()), await bench.fundedKey()];
    const replica = await start({ keys: [poor, rich] });
    for (const reference of ['affordable 1', 'affordable 2']) {
      await pay(replica, reference);
      expect(await signerOf(replica, reference)).toBe(rich.address);
    }
    const unfunded = await metric(replica, 'chain_signer_unfunded');
    expect(unfunded).toContain(`signer="${poor.address}"} 1`);
    expect(unfunded).toContain(`signer="${rich.address}"} 0`);
  });

  it('settles what an earlier version has signed within its lock', async () => {
    const key = await bench.fundedKey();
    const replica = await start({ keys: [key] });
    const to = recipient();
    const rawTransaction = await key.signTransaction({
      ...{ chainId: bench.chain.chainId, nonce: 0, to, value: 1n, gas: 21_000n },
      ...{ maxFeePerGas: parseGwei('50'), maxPriorityFeePerGas: 1n },
    });
    await replica.dataSource.query(
      `WITH signer AS (
         INSERT INTO chain_signers (id, chain, address, next_nonce)
         VALUES (gen_random_uuid(), 'alphanet', $1, 1)
       ), recorded AS (
         INSERT INTO chain_transactions
           (id, reference, chain, signer, nonce, target, data, value, gas_limit, due_at)
         VALUES (gen_random_uuid(), 'signed before', 'alphanet', $1, 0, $2, '0x', 1, 21000, now())
         RETURNING id
       )
       INSERT INTO chain_transaction_attempts
         (transaction_id, number, purpose, hash, raw_transaction, max_fee_per_gas, max_priority_fee_per_gas)
       SELECT id, 1, 'payload', $3, $4, 50000000000, 1 FROM recorded`,
      [key.address, to, keccak256(rawTransaction), rawTransaction],
    );
    replica.work();
    await settles(replica, 'signed before');
    expect(await bench.node.getBalance({ address: to })).toBe(1n);
  });
});
