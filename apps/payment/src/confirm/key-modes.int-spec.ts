import type { KeyMode, Payment } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { startCapturingServer, type CapturingServer } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPlan, aQuote, aQuoteState } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

/** A deployment with a test chain and a live chain, whose nodes answer nothing. */
describe('confirming with test keys and live keys', () => {
  let testNode: CapturingServer;
  let liveNode: CapturingServer;
  let client: PaymentServiceClient;

  beforeAll(async () => {
    testNode = await startCapturingServer(() => ({ status: 503 }));
    liveNode = await startCapturingServer(() => ({ status: 503 }));
    client = await PaymentServiceClient.start({
      CHAINS: 'alphanet,base',
      EXECUTOR_CONTRACT: developmentAddresses.executor,
      RPC_URLS_ALPHANET: testNode.url,
      RPC_URLS_BASE: liveNode.url,
      SCREENING_DISABLED: 'true',
    });
  });
  afterAll(async () => {
    await client.stop();
    await testNode.stop();
    await liveNode.stop();
  });

  const quotedBy = (mode: KeyMode) => aQuoteState(mode === 'test' ? { mode } : {});
  const confirm = async (mode: KeyMode, body: object = {}, state = quotedBy(mode)) =>
    client.confirm(await client.aConfirmation({ ...body }, state), { mode });
  const codeReads = ({ requests }: CapturingServer) =>
    requests.filter(({ body }) => body.includes('eth_getCode')).length;
  const overLiveChain = () => {
    const { legs, ...plan } = aPlan();
    const onBase = { ...plan, legs: legs.map((leg) => ({ ...leg, chain: 'base' })) };
    return aQuoteState({ quotes: [{ quote: aQuote(), plan: onBase }] });
  };
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
  });

  it('knows only live chains as chain of the owner of a payment over live chains', async () => {
    const message =
      'Expected a live chain for a payment over live chains, a test chain for one over test chains.';
    expect(await confirm('live', { owner_chain: 'alphanet' }, overLiveChain())).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['owner_chain'], message }] },
    });
    expect((await confirm('live', { owner_chain: 'base' }, overLiveChain())).status).toBe(200);
    expect(await confirm('live', { owner_chain: 'base' })).toMatchObject({ status: 400 });
  });

  it('looks for the owner on live chains or test chains, as the payment runs', async () => {
    const asked = () => [codeReads(testNode), codeReads(liveNode)];
    const before = asked();
    for (const mode of ['live', 'test'] as const) expect((await confirm(mode)).status).toBe(200);
    const [ofTest = 0, ofLive = 0] = asked();
    expect(ofTest).toBeGreaterThan(before[0] ?? 0);
    expect(ofLive).toBe(before[1]);
    expect((await confirm('live', {}, overLiveChain())).status).toBe(200);
    expect(codeReads(testNode)).toBe(ofTest);
    expect(codeReads(liveNode)).toBeGreaterThan(ofLive);
  });
});
