import type { AssetState, PriceState } from '@bascule/contracts';
import { TOPICS } from '@bascule/contracts';
import { createEnvelope, TRANSPORT } from '@bascule/messaging';
import type { Transport } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { AssetDirectoryRepository } from './asset-directory.repository.js';

const TOKEN = `alphanet:0x${'4'.repeat(40)}` as const;

describe('the projection of the catalogue', () => {
  let client: PaymentServiceClient;
  let directory: AssetDirectoryRepository;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
    directory = client.service.app.get(AssetDirectoryRepository);
  });
  afterAll(() => client.stop());

  const publish = async (
    topic: 'catalogue' | 'price',
    type: string,
    key: string,
    data: unknown,
  ) => {
    const origin = { source: 'catalogue', environment: 'development' };
    const envelope = createEnvelope({ topic: TOPICS[topic], type, key, data }, origin);
    await client.service.app.get<Transport>(TRANSPORT).publish([
      {
        topic: TOPICS[topic].name,
        key,
        headers: {},
        value: Buffer.from(JSON.stringify(envelope)),
      },
    ]);
  };
  const asset = (version: number, listed = true): AssetState => ({
    id: TOKEN,
    version,
    listed,
    asset: {
      chain: 'alphanet',
      address: TOKEN.slice(9),
      name: 'Token',
      symbol: 'TKN',
      decimals: 9,
      image_url: '',
      is_native: false,
    },
  });
  const price = (version: number, usd: string): PriceState => ({
    asset: TOKEN,
    version,
    usd,
    observed_at: new Date().toISOString(),
    sources: ['test'],
  });

  const listed = async () => (await directory.listedOn('alphanet')).map(({ token }) => token);

  it('keeps the newest state of assets and prices', async () => {
    expect(await directory.describe([TOKEN])).toEqual([]);
    expect(await directory.decimalsOf([TOKEN])).toBeNull();
    await publish('catalogue', 'asset.listed', TOKEN, asset(1));
    await eventually(async () => {
      const described = [{ token: TOKEN, decimals: 9, usdPrice: null }];
      expect(await directory.describe([TOKEN])).toEqual(described);
    });
    expect(await directory.decimalsOf([TOKEN])).toEqual({ [TOKEN]: 9 });
    expect(await listed()).toContain(TOKEN);

    await publish('price', 'price.observed', TOKEN, price(5, '1.25'));
    await publish('price', 'price.observed', TOKEN, price(4, '1.00'));
    await publish('price', 'price.observed', `${TOKEN}1`, { ...price(1, '2'), asset: 'last' });
    await eventually(async () => expect(await directory.usdPrice('last')).toBe('2'));
    await eventually(async () => expect(await directory.usdPrice(TOKEN)).toBe('1.25'));

    await publish('catalogue', 'asset.delisted', TOKEN, asset(2, false));
    await eventually(async () => expect(await listed()).not.toContain(TOKEN));
    const delisted = { token: TOKEN, decimals: 9, usdPrice: null };
    expect(await directory.describe([TOKEN])).toEqual([delisted]);
  });

  it('ignores events of chains', async () => {
    await publish('catalogue', 'chain.listed', 'alphanet', { version: 1, name: 'alphanet' });
    await publish('catalogue', 'asset.listed', TOKEN, asset(3));
    await eventually(async () => expect(await listed()).toContain(TOKEN));
    const rows: unknown[] = await client.admin.query('SELECT 1 FROM payment.dead_letters');
    expect(rows).toEqual([]);
  });
});
