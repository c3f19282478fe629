import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startLyingNode } from '@bascule/testing';
import { parseEther } from 'viem';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { SignerUnfundedError } from './signer-funds.js';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';

/** Most of what a key of the bench has. */
const MOST = parseEther('0.6');

const isSettled = (replica: Replica, reference: string) =>
  eventually(() => expect(replica.of(reference)).toMatchObject([{ status: 'success' }]));

describe('funds of a key that others use at the same time', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stopReplicas());
  afterAll(() => bench.stop());

  const payment = (reference: string) => ({
    ...({ chain: 'alphanet', reference, data: '0x', value: MOST } as const),
    to: privateKeyToAddress(generatePrivateKey()),
  });
  const lockOf = async ({ dataSource }: Replica, address: Address) => {
    await dataSource.transaction((manager) =>
      manager.query('SELECT 1 FROM chain_signers WHERE address = $1 FOR UPDATE NOWAIT', [address]),
    );
  };

  it('are spent once: the next key is taken, and the first one is not left locked', async () => {
    const [spent, other] = [await bench.fundedKey(), await bench.fundedKey()];
    const first = await bench.replica({ keys: [spent] });
    // The turn of a replica begins with its second key.
    const second = await bench.replica({ keys: [other, spent] });
    const [reserved, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = first.sender.record(payment('of the first'), async (_manager, reserve) => {
      await reserve();
      reserved.resolve();
      await committed.promise;
    });
    try {
      await Promise.race([reserved.promise, held]);
      const recorded = second.sender.record(payment('of the second'), async (_manager, reserve) => {
        await reserve();
        await lockOf(first, spent.address);
      });
      await eventually(async () => {
        const waiting: unknown[] = await first.dataSource.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(waiting).toHaveLength(1);
      });
      committed.resolve();
      await recorded;
    } finally {
      committed.resolve();
      await held;
    }
    const signers: unknown = await first.dataSource.query(
      `SELECT reference, signer FROM chain_transactions WHERE signer = ANY($1) ORDER BY reference`,
      [[spent.address, other.address]],
    );
    expect(signers).toEqual([
      { reference: 'of the first', signer: spent.address },
      { reference: 'of the second', signer: other.address },
    ]);
  });

  it('count what was mined after the balance was read', async () => {
    const key = await bench.fundedKey();
    const node = await startLyingNode(bench.rpcUrl);
    const [read, mined] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    try {
      const late = await bench.replica({ keys: [key] }, { rpcUrls: [node.url] });
      const prompt = (await bench.replica({ keys: [key] })).work();
      node.lies.set('eth_getBalance', async (_call, honest) => {
        const answer = await honest();
        read.resolve();
        return answer;
      });
      node.lies.set('eth_estimateGas', (_call, honest) => mined.promise.then(honest));
      const recorded = late.record(payment('drafted before'));
      const outcome = recorded.catch((error: unknown) => error);
      await read.promise;
      await prompt.record(payment('mined meanwhile'));
      await prompt.sender.broadcast('mined meanwhile');
      await isSettled(prompt, 'mined meanwhile');
      mined.resolve();
      expect(await outcome).toBeInstanceOf(SignerUnfundedError);
    } finally {
      mined.resolve();
      await node.stop();
    }
  });
});
