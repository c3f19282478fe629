import { TOPICS, type OrganisationState } from '@bascule/contracts';
import { createEnvelope, TRANSPORT, type Transport } from '@bascule/messaging';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { OrganisationRepository } from './organisation.repository.js';

const OURS = '0190b2c3-0000-7000-8000-00000000000a';
const THEIRS = '0190b2c3-0000-7000-8000-00000000000b';
const SHOP = 'https://shop.example';

describe('the projection of organisations', () => {
  let client: PaymentServiceClient;
  let organisations: OrganisationRepository;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
    organisations = client.service.app.get(OrganisationRepository);
  });
  afterAll(() => client.stop());

  async function publish(org_id: string, version: number, redirect_origins: string[]) {
    const data: OrganisationState = {
      ...{ org_id, version, redirect_origins },
      ...{ revenue_shares: [], opened_edges: [] },
    };
    const topic = TOPICS.organisation;
    const envelope = createEnvelope(
      { topic, type: 'organisation.configured', key: org_id, data },
      { source: 'gateway', environment: 'development' },
    );
    const value = Buffer.from(JSON.stringify(envelope));
    const record = { topic: topic.name, key: org_id, headers: {}, value };
    await client.service.app.get<Transport>(TRANSPORT).publish([record, record]);
  }

  it('holds the redirect origins of each organisation, the newest ones', async () => {
    expect(await organisations.redirectOriginsOf(OURS)).toEqual([]);
    await publish(OURS, 2, [SHOP]);
    await publish(OURS, 1, ['https://old.example']);
    await publish(THEIRS, 1, ['https://theirs.example']);
    await eventually(async () => {
      expect(await organisations.redirectOriginsOf(THEIRS)).toEqual(['https://theirs.example']);
      expect(await organisations.redirectOriginsOf(OURS)).toEqual([SHOP]);
    });
    await publish(OURS, 3, []);
    await eventually(async () => expect(await organisations.redirectOriginsOf(OURS)).toEqual([]));
    expect(await client.admin.query('SELECT 1 FROM payment.dead_letters')).toEqual([]);
  });
});
