import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { Bench, POOL_SIZE } from './testing/sending-stage.fixture.js';

const RECIPIENT = '0x00000000000000000000000000000000000000AA';
const PAYMENT = { to: RECIPIENT, data: '0x', value: 1n } as const;

describe('a chain whose node hangs', () => {
  let bench: Bench;
  let node: LyingNode;

  beforeAll(async () => {
    bench = await Bench.start();
    node = await startLyingNode(bench.rpcUrl);
  });
  afterEach(async () => {
    node.lies.clear();
    await bench.stopReplicas();
  });
  afterAll(async () => {
    await node.stop();
    await bench.stop();
  });

  it.each([
    'eth_estimateGas',
    'eth_getTransactionCount',
    'eth_getBalance',
    'eth_maxPriorityFeePerGas',
  ])('holds no connection of the pool while it is asked by %s', async (method) => {
    const [key, other] = [await bench.fundedKey(), await bench.fundedKey()];
    const replica = await bench.replica(key.privateKey, {
      rpcUrls: [node.url],
      betanetKey: other.privateKey,
    });
    const answers = Promise.withResolvers<void>();
    let asked = 0;
    node.lies.set(method, (_call, honest) => {
      asked += 1;
      return answers.promise.then(honest);
    });
    const hanging = Array.from({ length: POOL_SIZE }, (_, index) =>
      replica.record({ ...PAYMENT, chain: 'alphanet', reference: `${method} ${index}` }),
    );
    const ended = Promise.race(hanging).then(
      () => 'a hanging one',
      () => 'a hanging one',
    );
    try {
      await eventually(() => expect(asked).toBeGreaterThanOrEqual(POOL_SIZE));
      const recorded = replica
        .record({ ...PAYMENT, chain: 'betanet', reference: `beside ${method}` })
        .then(() => 'that of the other chain');
      expect(await Promise.race([ended, recorded])).toBe('that of the other chain');
    } finally {
      answers.resolve();
      await Promise.allSettled(hanging);
    }
  });
});
