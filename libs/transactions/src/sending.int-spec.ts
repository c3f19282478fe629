import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pendingSchemaChanges } from '@bascule/persistence';
import { currentTraceparent, runInTrace } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { parseEther, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { TransactionWouldRevertError } from './simulation-error.js';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;

// PUSH0 PUSH0 REVERT
const REVERTING_CODE = '0x5f5ffd';
/** Burns 3 million gas: hashes 1,184,000 bytes of memory. */
const BURNING_CODE = '0x621211005f205000';

describe('sending', () => {
  let bench: Bench;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const pay = (replica: Replica, reference: string, to: `0x${string}`, value = 1n) =>
    replica.record({ chain: 'alphanet', reference, to, data: '0x', value });
  /** Signs and broadcasts a recorded transaction; returns the hash of its newest attempt. */
  const send = async ({ sender }: Replica, reference: string): Promise<`0x${string}`> => {
    await sender.broadcast(reference);
    return (await sender.find(reference))?.hash ?? '0x';
  };
  /** Decodes a recorded attempt's bytes. */
  const offered = async ({ dataSource }: Replica, hash: `0x${string}`) => {
    const [attempt]: { raw_transaction: `0x${string}` }[] = await dataSource.query(
      'SELECT raw_transaction FROM chain_transaction_attempts WHERE hash = $1',
      [hash],
    );
    return parseTransaction(attempt?.raw_transaction ?? '0x');
  };

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(async () => {
    await bench.stopReplicas();
    await bench.resumeMining();
  });
  afterAll(() => bench.stop());

  it('has entities and migrations that agree', async () => {
    const { dataSource } = await start(generatePrivateKey());
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
  });

  it('executes a recorded transaction and reports it once it is confirmed', async () => {
    const replica = (await start((await bench.fundedKey()).privateKey)).work();
    const to = recipient();
    await pay(replica, 'plain', to, 5n);
    const hash = await send(replica, 'plain');
    const outcome = await eventually(() => {
      const [first] = replica.of('plain');
      if (!first) throw new Error('not settled yet');
      return first;
    });
    expect(outcome).toMatchObject({ status: 'success', hash });
    const head = await bench.node.getBlockNumber();
    expect(head - (outcome.receipt?.blockNumber ?? head)).toBeGreaterThanOrEqual(1n);
    expect(await bench.node.getBalance({ address: to })).toBe(5n);
    await eventually(async () => {
      expect(await replica.sender.find('plain')).toEqual({ status: 'success', hash });
    });
  });

  it('uses a legacy gas price, in replacements too, where the chain requires it', async () => {
    await bench.stopMining();
    const key = await bench.fundedKey();
    const definition = { feeStyle: 'legacy' } as const;
    const replica = (await start(key.privateKey, { definition, replaceAfterMs: 300 })).work();
    await pay(replica, 'legacy', recipient());
    const hash = await send(replica, 'legacy');
    const replacement = await eventually(async () => {
      const newest = await replica.sender.find('legacy');
      if (!newest?.hash || newest.hash === hash) throw new Error('not replaced yet');
      return newest.hash;
    });
    const first = await offered(replica, hash);
    const second = await offered(replica, replacement);
    expect([first.type, second.type]).toEqual(['legacy', 'legacy']);
    expect(second.gasPrice).toBeGreaterThan(first.gasPrice ?? 0n);
    await bench.resumeMining();
    await eventually(() => expect(replica.of('legacy')).toMatchObject([{ status: 'success' }]));
  });

  it('sends nothing when the transaction that recorded it rolls back, and reuses the nonce', async () => {
    const key = await bench.fundedKey();
    const replica = (await start(key.privateKey)).work();
    const [lost, kept] = [recipient(), recipient()];
    const request = { chain: 'alphanet', to: lost, data: '0x', value: 1n } as const;
    const named = { ...request, reference: 'rolled-back' };
    const rolledBack = replica.sender.record(named, async (_manager, reserve) => {
      await reserve();
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await pay(replica, 'kept', kept);
    await eventually(() => expect(replica.of('kept')).toHaveLength(1));
    expect(await bench.node.getBalance({ address: lost })).toBe(0n);
    expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
  });

  it('bounds the gas of every transaction, and records none that needs more', async () => {
    const key = await bench.fundedKey();
    const to = recipient();
    await bench.node.setCode({ address: to, bytecode: BURNING_CODE });
    const bounded = await start(key.privateKey, { maxGas: 2_000_000n });
    const ample = await start(key.privateKey, { maxGas: 3_200_000n });
    const record = (replica: Replica, reference: string, gas: object = {}) =>
      replica.record({
        ...{ chain: 'alphanet', reference, to, data: '0x' as const },
        ...gas,
      });
    const refused = [
      () => record(bounded, 'burning'),
      () => record(bounded, 'burning', { maxGas: 4_000_000n }),
      () => record(bounded, 'burning', { gasLimit: 4_000_000n }),
      () => record(ample, 'burning', { maxGas: 1_000_000n }),
      () => record(ample, 'burning', { gasLimit: 1_000_000n }),
    ];
    for (const attempt of refused) {
      await expect(attempt()).rejects.toThrow(TransactionWouldRevertError);
    }
    expect(await ample.sender.find('burning')).toBeNull();
    // The margin of the estimate ends at the bound.
    await record(ample, 'affordable');
    const hash = await send(ample, 'affordable');
    expect(await offered(ample, hash)).toMatchObject({ gas: 3_200_000n });
  });

  it('is finished by another process after a crash between recording and sending', async () => {
    const key = await bench.fundedKey();
    const dead = await start(key.privateKey);
    const to = recipient();
    await pay(dead, 'orphan', to);
    const heir = (await start(key.privateKey)).work();
    await eventually(() => expect(heir.of('orphan')).toHaveLength(1));
    expect(heir.factsOf('orphan')).toMatchObject([{ kind: 'broadcast', chain: 'alphanet' }]);
    expect(await bench.node.getBalance({ address: to })).toBe(1n);
  });

  it('has one effect, settled at least once, when two workers race', async () => {
    const key = await bench.fundedKey();
    const one = (await start(key.privateKey)).work();
    const two = (await start(key.privateKey)).work();
    const to = recipient();
    const references = Array.from({ length: 12 }, (_, index) => `raced-${index}`);
    await Promise.all(
      references.map((reference, index) => pay(index % 2 === 0 ? one : two, reference, to)),
    );
    await eventually(() => {
      const settled = new Set([...one.outcomes, ...two.outcomes].map(({ reference }) => reference));
      expect(references.filter((reference) => !settled.has(reference))).toEqual([]);
    });
    expect(await bench.node.getBalance({ address: to })).toBe(12n);
    expect(await bench.node.getTransactionCount({ address: key.address })).toBe(12);
  });

  it('records a reference once, however often it is requested', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey);
    const to = recipient();
    await Promise.all([1, 2, 3].map(() => pay(replica, 'same', to)));
    const nonces = await replica.dataSource.query(
      'SELECT next_nonce FROM chain_signers WHERE address = $1',
      [key.address],
    );
    expect(nonces).toEqual([{ next_nonce: '1' }]);
    replica.work();
    await eventually(() => expect(replica.of('same')).toHaveLength(1));
    expect(await bench.node.getBalance({ address: to })).toBe(1n);
  });

  it('stores the trace of the record, and settles in it', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const seen: (string | undefined)[] = [];
    const settled = async () => {
      seen.push(currentTraceparent());
    };
    const replica = (await start((await bench.fundedKey()).privateKey, { settled })).work();
    await runInTrace(traceparent, () => pay(replica, 'traced', recipient()));
    await eventually(() => expect(replica.of('traced')).toHaveLength(1));
    expect(seen).toEqual([traceparent]);
    const rows: unknown[] = await replica.dataSource.query(
      `SELECT traceparent FROM chain_transactions WHERE reference = 'traced'`,
    );
    expect(rows).toEqual([{ traceparent }]);
  });

  it('refuses to record a transaction that would revert, and reports the revert data', async () => {
    const replica = await start((await bench.fundedKey()).privateKey);
    const to = recipient();
    // PUSH4 0xdeadbeef, PUSH0, MSTORE, PUSH1 4, PUSH1 28, REVERT
    await bench.node.setCode({ address: to, bytecode: '0x63deadbeef5f526004601cfd' });
    const refused = pay(replica, 'would-revert', to, 0n);
    await expect(refused).rejects.toThrow(TransactionWouldRevertError);
    await expect(refused).rejects.toMatchObject({ data: '0xdeadbeef' });
    expect(await replica.sender.find('would-revert')).toBeNull();
  });

  it('reports a transaction that reverted in its block as reverted', async () => {
    const replica = await start((await bench.fundedKey()).privateKey);
    const to = recipient();
    const settled = () =>
      replica.registry.getSingleMetricAsString('chain_transactions_settled_total');
    expect(await settled()).toMatch(/\{chain="alphanet",status="reverted".*\} 0$/m);
    await pay(replica, 'reverted', to, 0n);
    await bench.node.setCode({ address: to, bytecode: REVERTING_CODE });
    replica.work();
    await eventually(async () => {
      expect(replica.of('reverted')[0]?.status).toBe('reverted');
      expect(await settled()).toMatch(/\{chain="alphanet",status="reverted".*\} 1$/m);
    });
  });

  it('calls the settlement handler again until it succeeds', async () => {
    let failures = 2;
    const settled = () =>
      failures-- > 0 ? Promise.reject(new Error('not now')) : Promise.resolve();
    const replica = (await start((await bench.fundedKey()).privateKey, { settled })).work();
    await pay(replica, 'stubborn', recipient());
    await eventually(async () => {
      expect((await replica.sender.find('stubborn'))?.status).toBe('success');
    });
    expect(replica.of('stubborn')).toHaveLength(3);
  });

  it('keeps the order of a signer without funds and continues once it is funded', async () => {
    const privateKey = generatePrivateKey();
    const { address } = privateKeyToAccount(privateKey);
    const replica = await start(privateKey);
    await bench.node.setBalance({ address, value: parseEther('1') });
    const to = recipient();
    await pay(replica, 'poor-1', to);
    await pay(replica, 'poor-2', to);
    await bench.node.setBalance({ address, value: 0n });
    replica.work();
    await eventually(async () => {
      const rows: unknown[] = await replica.dataSource.query(
        `SELECT 1 FROM chain_transactions WHERE signer = $1 AND due_at > now()`,
        [address],
      );
      expect(rows).toHaveLength(2);
    });
    expect([...replica.of('poor-1'), ...replica.of('poor-2')]).toEqual([]);
    await bench.node.setBalance({ address, value: parseEther('1') });
    await eventually(() => expect(replica.of('poor-2')).toHaveLength(1));
    expect(await bench.node.getBalance({ address: to })).toBe(2n);
  });
});
