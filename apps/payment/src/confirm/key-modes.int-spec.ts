import type { KeyMode, Payment } from '@bascule/contracts';
import { startCapturingServer, type CapturingServer } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aQuoteState } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

/** A deployment with a live chain, whose node answers nothing. */
describe('confirming with test keys and live keys', () => {
  let node: CapturingServer;
  let client: PaymentServiceClient;

  beforeAll(async () => {
    node = await startCapturingServer(() => ({ status: 503 }));
    client = await PaymentServiceClient.start({
      CHAINS: 'alphanet,base',
      RPC_URLS_BASE: node.url,
      SCREENING_DISABLED: 'true',
    });
  });
  afterAll(async () => {
    await client.stop();
    await node.stop();
  });

  const quotedBy = (mode: KeyMode) => aQuoteState(mode === 'test' ? { mode } : {});
  const confirm = async (mode: KeyMode, body: object = {}, state = quotedBy(mode)) =>
    client.confirm(await client.aConfirmation({ ...body }, state), { mode });
  const codeReads = () => node.requests.filter(({ body }) => body.includes('eth_getCode')).length;
  const storedMode = async ({ payment_id }: Payment): Promise<unknown> =>
    client.admin.query('SELECT mode FROM payments WHERE id = $1', [payment_id]);

  it('stores the mode of the key that quoted', async () => {
    for (const mode of ['live', 'test'] as const) {
      const { status, body } = await confirm(mode);
      expect([status, await storedMode(body)]).toEqual([200, [{ mode }]]);
    }
  });

  it.each([
    ['test', 'live'],
    ['live', 'test'],
  ] as const)('refuses to a %s key what was quoted to a %s key', async (mode, other) => {
    const message = `Expected a quote for a ${mode} key, found one for a ${other} key. Request a new one.`;
    expect(await confirm(mode, {}, quotedBy(other))).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['state_token'], message }] },
    });
  });

  it('knows only test chains as chain of the owner of a test payment', async () => {
    const message = 'Unknown chain. Test keys use test chains only.';
    expect(await confirm('test', { owner_chain: 'base' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['owner_chain'], message }] },
    });
    expect((await confirm('test', { owner_chain: 'alphanet' })).status).toBe(200);
    expect((await confirm('live', { owner_chain: 'base' })).status).toBe(200);
  });

  it('looks for the owner of a test payment on no live chain', async () => {
    const before = codeReads();
    expect((await confirm('test')).status).toBe(200);
    expect(codeReads()).toBe(before);
    expect((await confirm('live')).status).toBe(200);
    expect(codeReads()).toBeGreaterThan(before);
  });
});
