import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@bascule/local-stack';
import { parseConfig, ServiceContext } from '@bascule/process';
import { signersEnv } from '@bascule/signers';
import { startStandInKms, type StandInKms } from '@bascule/signers/testing';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { openKeys } from './open-keys.js';
import { Bench } from './testing/sending-stage.fixture.js';

describe('a key that is kept elsewhere', () => {
  let bench: Bench;
  let store: StandInKms;
  let address: `0x${string}`;

  beforeAll(async () => {
    bench = await Bench.start();
    const key = await bench.fundedKey();
    address = key.address;
    store = await startStandInKms({ privateKey: key.privateKey, port: await freePort() });
  }, 120_000);
  afterAll(async () => {
    await store.stop();
    await bench.stop();
  });

  it.each(['aws-kms', 'gcp-kms', 'azure-kv'] as const)(
    'sends what %s signs, after an outage, beside a retired local key',
    async (provider) => {
      const old = await bench.fundedKey();
      const context = new ServiceContext({ name: 'keys', environment: 'test', logLevel: 'fatal' });
      const config = parseConfig(store.environment, signersEnv);
      const locations = { keys: [store.locations[provider]], retiredKeys: [old.privateKey] };
      const signer = await openKeys(locations, { context, config });
      const replica = (await bench.replica(signer)).work();
      try {
        const down = { status: 503, code: 'Unavailable' };
        store.misbehave(down, down, down);
        const to = privateKeyToAccount(generatePrivateKey()).address;
        for (const reference of [`${provider} 1`, `${provider} 2`]) {
          await replica.record({
            chain: 'alphanet',
            reference,
            to,
            data: '0x',
            value: 1n,
          });
        }
        await eventually(
          async () => {
            const sent: unknown = await replica.dataSource.query(
              `SELECT signer, status FROM chain_transactions WHERE target = $1`,
              [to],
            );
            const success = { signer: address, status: 'success' };
            expect(sent).toEqual([success, success]);
          },
          { timeoutMs: 60_000 },
        );
      } finally {
        await bench.stopReplicas();
        await context.shutdown.run(1_000);
      }
    },
    120_000,
  );
});
