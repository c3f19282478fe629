import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { sharedTokenStoreContract } from '@bascule/providers/testing';
import { createServiceDatabase } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { entities, migrations } from './persistence.config.js';
import { ProviderTokensRepository } from './provider-tokens.repository.js';

/** Two replicas, each with connections of its own. */
class TwoReplicas {
  private constructor(
    private readonly database: ServiceDatabase,
    readonly sources: readonly [DataSource, DataSource],
  ) {}

  static async start(): Promise<TwoReplicas> {
    const database = await createServiceDatabase('payment');
    const options = { database: database.database, entities, migrations };
    await runMigrationsOf(options);
    const open = () => createDataSource(options).initialize();
    return new TwoReplicas(database, [await open(), await open()]);
  }

  get stores(): readonly [ProviderTokensRepository, ProviderTokensRepository] {
    const [one, other] = this.sources;
    return [new ProviderTokensRepository(one), new ProviderTokensRepository(other)];
  }

  async endPause(provider: string): Promise<void> {
    await this.sources[0].query(
      'UPDATE provider_tokens SET claimable_at = clock_timestamp() WHERE provider = $1',
      [provider],
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.destroy()));
    await this.database.drop();
  }
}

sharedTokenStoreContract('of the payment service', async () => {
  const replicas = await TwoReplicas.start();
  return {
    replicas: replicas.stores,
    endPause: (provider) => replicas.endPause(provider),
    stop: () => replicas.stop(),
  };
});

describe('the pause before the next access token', () => {
  let replicas: TwoReplicas;
  beforeAll(async () => {
    replicas = await TwoReplicas.start();
  });
  afterAll(() => replicas.stop());

  /** Claims once the pause is over, and returns the minutes until the next claim. */
  const claimed = async (provider: string, version: number) => {
    const [store] = replicas.stores;
    await replicas.endPause(provider);
    const claimId = (await store.claim(provider, version)) ?? '';
    const rows: { minutes: number }[] = await replicas.sources[0].query(
      `SELECT round(extract(epoch FROM claimable_at - clock_timestamp()) / 60)::integer AS minutes
       FROM provider_tokens WHERE provider = $1`,
      [provider],
    );
    return { claimId, minutes: rows[0]?.minutes ?? -1 };
  };
  const minutesAfterClaim = async (provider: string, version: number): Promise<number> => {
    const { claimId, minutes } = await claimed(provider, version);
    const token = { sealed: 'token', expiresAt: new Date() };
    await replicas.stores[0].replace(provider, claimId, token);
    return minutes;
  };
  const age = (provider: string, interval: string) =>
    replicas.sources[0].query(
      'UPDATE provider_tokens SET obtained_at = obtained_at - $2::interval WHERE provider = $1',
      [provider, interval],
    );

  it('doubles up to an hour while tokens do not last, and is a minute again after one that did', async () => {
    const minutes: number[] = [];
    for (let version = 0; version < 9; version += 1) {
      minutes.push(await minutesAfterClaim('refusing', version));
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    // The longest pause is no sign that the token lasted.
    await age('refusing', '61 minutes');
    expect(await minutesAfterClaim('refusing', 9)).toBe(60);
    await age('refusing', '3 hours');
    expect(await minutesAfterClaim('refusing', 10)).toBe(1);
  });

  it('does not double by claims that bring no token', async () => {
    await minutesAfterClaim('failing', 0);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { claimId, minutes } = await claimed('failing', 1);
      expect(minutes).toBe(2);
      await replicas.stores[0].release('failing', claimId);
    }
  });
});
