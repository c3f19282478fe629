import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChainDefinition } from '@bascule/chain';
import { eventually, startLyingNode } from '@bascule/testing';
import type { Lie, LyingNode } from '@bascule/testing';
import { keccak256, numberToHex, parseEther, parseGwei, zeroHash } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { SignerUnfundedError } from './signer-funds.js';
import { startRollupNode } from './testing/rollup-node.fixture.js';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';

/** A node that nobody reaches. */
const AWAY = 'http://127.0.0.1:9';

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;

describe('sending through a node that lies, or without money', () => {
  let bench: Bench;
  let liar: LyingNode;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const pay = (replica: Replica, reference: string, value = 1n, to = recipient()) =>
    replica.record({ chain: 'alphanet', reference, to, data: '0x', value });
  const attemptsOf = (replica: Replica, reference: string) =>
    replica.dataSource.query<{ purpose: string; fee: string }[]>(
      `SELECT a.purpose, a.max_fee_per_gas AS fee FROM chain_transaction_attempts a
       JOIN chain_transactions t ON t.id = a.transaction_id
       WHERE t.reference = $1 ORDER BY a.number`,
      [reference],
    );
  const requestsFor = (method: string): number => liar.requests.get(method) ?? 0;

  beforeAll(async () => {
    bench = await Bench.start();
    liar = await startLyingNode(bench.rpcUrl);
  });
  afterEach(async () => {
    await bench.stopReplicas();
    liar.lies.clear();
    await bench.resumeMining();
  });
  afterAll(async () => {
    await liar.stop();
    await bench.stop();
  });

  it.each([
    ['one of two', 1],
    ['one of three', 2],
  ])('settles nothing on the word of %s', async (which, honest) => {
    const key = await bench.fundedKey();
    const others = Array.from({ length: honest }, () => bench.rpcUrl);
    const replica = await start(key.privateKey, { rpcUrls: [liar.url, ...others] });
    const reference = `unmined ${which}`;
    await bench.stopMining();
    await bench.node.mine({ blocks: 1 });
    const block = await bench.node.getBlock();
    await bench.node.mine({ blocks: 10 });
    await pay(replica, reference);
    await replica.sender.broadcast(reference);
    const hash = (await replica.sender.find(reference))?.hash;
    liar.lies.set('eth_getTransactionReceipt', () =>
      Promise.resolve({
        result: {
          ...{ transactionHash: hash, blockHash: block.hash, status: '0x1' },
          ...{
            blockNumber: numberToHex(block.number),
            transactionIndex: '0x0',
            type: '0x2',
            logs: [],
            logsBloom: zeroHash,
          },
          ...{ gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' },
        },
      }),
    );
    const asked = requestsFor('eth_getTransactionReceipt');
    replica.work();
    await eventually(() => {
      expect(requestsFor('eth_getTransactionReceipt')).toBeGreaterThan(asked + 5);
    });
    expect(replica.of(reference)).toEqual([]);
    liar.lies.clear();
    await bench.resumeMining();
    await eventually(() => expect(replica.of(reference)).toHaveLength(1));
    expect(replica.of(reference)[0]?.receipt?.blockNumber).toBeGreaterThan(block.number);
  });

  it('takes no nonce from one of two or three that is far ahead, and pays for no gap', async () => {
    const key = await bench.fundedKey();
    for (const honest of [1, 2]) {
      const others = Array.from({ length: honest }, () => bench.rpcUrl);
      const replica = await start(key.privateKey, { rpcUrls: [liar.url, ...others] });
      liar.lies.set('eth_getTransactionCount', () => Promise.resolve({ result: '0x186a0' }));
      await pay(replica, `beside ${honest}`);
      replica.work();
      await eventually(async () => {
        expect((await replica.sender.find(`beside ${honest}`))?.status).toBe('success');
      });
    }
    expect(await bench.node.getTransactionCount({ address: key.address })).toBe(2);
  });

  it.each<[string, Lie]>([
    ['reports no transaction', () => Promise.resolve({ result: '0x0' })],
    ['is away', () => Promise.reject(new Error('away'))],
  ])('pays with what its key has while one of two %s', async (which, lie) => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { rpcUrls: [liar.url, bench.rpcUrl] });
    replica.work();
    await pay(replica, `before ${which}`, parseEther('0.6'));
    await eventually(() => expect(replica.of(`before ${which}`)[0]?.status).toBe('success'));
    liar.lies.set('eth_getTransactionCount', lie);
    await pay(replica, which, parseEther('0.3'));
    await eventually(() => expect(replica.of(which)[0]?.status).toBe('success'));
  });

  it('pays with what its key has while one of two is away and the other one reports no transaction', async () => {
    const key = await bench.fundedKey();
    const whole = (await start(key.privateKey)).work();
    await pay(whole, 'while both answer', parseEther('0.6'));
    await eventually(async () => {
      expect((await whole.sender.find('while both answer'))?.status).toBe('success');
    });
    await bench.stopReplicas(whole);
    const half = await start(key.privateKey, { rpcUrls: [AWAY, liar.url] });
    liar.lies.set('eth_getTransactionCount', () => Promise.resolve({ result: '0x0' }));
    await pay(half, 'while one answers', parseEther('0.3'));
    await half.sender.broadcast('while one answers');
    await eventually(async () => {
      expect(await bench.node.getTransactionCount({ address: key.address })).toBe(2);
    });
  });

  it('takes no nonce from the only one of two that answers', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { rpcUrls: [liar.url, AWAY] });
    liar.lies.set('eth_getTransactionCount', () => Promise.resolve({ result: '0x5' }));
    await pay(replica, 'alone');
    await replica.sender.broadcast('alone');
    await eventually(async () => {
      expect(await bench.node.getTransactionCount({ address: key.address })).toBe(1);
    });
  });

  it('refuses a nonce far ahead where one node is configured', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { rpcUrls: [liar.url] });
    liar.lies.set('eth_getTransactionCount', () => Promise.resolve({ result: '0x186a0' }));
    await expect(pay(replica, 'far ahead')).rejects.toThrow('alphanet reports nonce 100000');
  });

  it('is sent at the fees of the honest node when the other one of two lies low', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { rpcUrls: [liar.url, bench.rpcUrl] });
    liar.lies.set('eth_getBlockByNumber', async (_call, honest) => {
      const { result } = await honest();
      return { result: { ...(result as object), baseFeePerGas: '0x0' } };
    });
    liar.lies.set('eth_maxPriorityFeePerGas', () => Promise.resolve({ result: '0x1' }));
    await pay(replica, 'not too cheap');
    replica.work();
    await eventually(() => expect(replica.of('not too cheap')[0]?.status).toBe('success'));
  });

  it.each([
    ['two of three refuse as invalid, though one accepts it', 2],
    ['one of two refuses as invalid for long, though the other one accepts it', 1],
  ])('cancels what %s', async (which, honest) => {
    const rollups = await Promise.all(
      Array.from({ length: honest }, () => startRollupNode(bench.rpcUrl)),
    );
    try {
      const key = await bench.fundedKey();
      const replica = await start(key.privateKey, {
        rpcUrls: [liar.url, ...rollups.map(({ url }) => url)],
        definition: { gasIncludesData: true },
        replaceAfterMs: honest === 1 ? 200 : 60_000,
      });
      liar.lies.set('eth_sendRawTransaction', ({ params }) =>
        Promise.resolve({ result: keccak256(params[0] as Hex) }),
      );
      await pay(replica, which);
      for (const rollup of rollups) rollup.surcharge = 50_000n;
      replica.work();
      await eventually(() => expect(replica.of(which)[0]?.status).toBe('dropped'));
      expect((await attemptsOf(replica, which)).at(-1)?.purpose).toBe('cancellation');
      for (const rollup of rollups) rollup.surcharge = 0n;
      await pay(replica, `after ${which}`);
      await eventually(() => expect(replica.of(`after ${which}`)[0]?.status).toBe('success'));
    } finally {
      await Promise.all(rollups.map((rollup) => rollup.stop()));
    }
  });

  it.each<[string, number, Partial<ChainDefinition>]>([
    ['one of two', 1, {}],
    ['one of two, where gas includes data,', 1, { gasIncludesData: true }],
    ['one of three, where gas includes data,', 2, { gasIncludesData: true }],
  ])('frees a nonce though %s asks for a billion gas', async (which, honest, definition) => {
    const key = await bench.fundedKey();
    const others = Array.from({ length: honest }, () => bench.rpcUrl);
    const replica = await start(key.privateKey, { rpcUrls: [liar.url, ...others], definition });
    const bounds = { gasLimit: 29_400n, maxCost: 29_400n * parseGwei('20') };
    const recorded = { chain: 'alphanet', reference: `stuck ${which}`, to: recipient() };
    await replica.record({ ...recorded, data: '0x', value: 1n, ...bounds });
    liar.lies.set('eth_estimateGas', () => Promise.resolve({ result: numberToHex(1_000_000_000) }));
    // The block's gas limit fell below the signed gas limit.
    await bench.node.setBlockGasLimit({ gasLimit: 25_000n });
    try {
      replica.work();
      await eventually(() => expect(replica.of(`stuck ${which}`)[0]?.status).toBe('dropped'));
    } finally {
      await bench.node.setBlockGasLimit({ gasLimit: 30_000_000n });
    }
  });

  it('signs at lower fees what no node has accepted', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { rpcUrls: [liar.url] });
    const dear = Promise.resolve({ result: numberToHex(parseGwei('500')) });
    liar.lies.set('eth_maxPriorityFeePerGas', () => dear);
    await pay(replica, 'too dear');
    liar.lies.clear();
    await bench.node.setBalance({ address: key.address, value: 21_000n * parseGwei('100') });
    replica.work();
    await eventually(() => expect(replica.of('too dear')[0]?.status).toBe('success'));
    const [first, second] = await attemptsOf(replica, 'too dear');
    expect(BigInt(first?.fee ?? 0)).toBeGreaterThan(parseGwei('500'));
    expect(BigInt(second?.fee ?? 0)).toBeLessThan(parseGwei('100'));
  });

  it('records nothing that its key cannot pay, and still what it can', async () => {
    const key = await bench.fundedKey();
    const replica = (await start(key.privateKey)).work();
    const unfunded = async () => (await replica.metrics.unfunded.get()).values[0]?.value;
    await expect(pay(replica, 'too much', parseEther('1'))).rejects.toThrow(SignerUnfundedError);
    expect(await unfunded()).toBe(1);
    await pay(replica, 'little');
    expect(await unfunded()).toBe(0);
    await eventually(() => expect(replica.of('little')[0]?.status).toBe('success'));
  });

  it('counts what waits for a block when it asks whether its key can pay', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey);
    await bench.stopMining();
    await pay(replica, 'first half', parseEther('0.5'));
    await expect(pay(replica, 'second half', parseEther('0.5'))).rejects.toThrow(
      SignerUnfundedError,
    );
  });

  it('cancels what its key can no longer pay once others wait behind it', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey);
    await pay(replica, 'large', parseEther('0.5'));
    await pay(replica, 'small');
    await bench.node.setBalance({ address: key.address, value: parseEther('0.1') });
    replica.work();
    await eventually(() => expect(replica.of('large')[0]?.status).toBe('dropped'));
    await eventually(() => expect(replica.of('small')[0]?.status).toBe('success'));
    expect((await attemptsOf(replica, 'large')).map(({ purpose }) => purpose)).toEqual([
      'payload',
      'cancellation',
    ]);
  });
});
