import { CLIENT_IP_HEADER } from '@bascule/identity';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anOnrampPlan, anOnrampQuote, aQuoteState, USDC } from '../testing/a-quote.fixture.js';
import { AccessTokenOnramp } from '../testing/access-token-onramp.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const HOUR_MS = 3_600_000;
const VISITOR = '128.32.136.9';

describe('an onramp with access tokens', () => {
  let onramp: AccessTokenOnramp;
  let client: PaymentServiceClient;
  let other: RunningService;
  beforeAll(async () => {
    onramp = await AccessTokenOnramp.start();
    client = await PaymentServiceClient.start({
      PROVIDERS: onramp.env,
      // Longer than a test, so that only callbacks change an order.
      CHECKOUT_POLL_MS: String(HOUR_MS),
    });
    other = await client.startAnother();
  });
  afterEach(async () => {
    await client.admin.query('UPDATE provider_tokens SET claimable_at = now()');
  });
  afterAll(async () => {
    await other.shutdown({ graceMs: 0 });
    await client.stop();
    await onramp.server.stop();
  });

  const onrampPayment = async (): Promise<string> => {
    const plan = anOnrampPlan();
    if (plan.funding.kind !== 'onramp') throw new Error('no onramp');
    const funding = {
      ...plan.funding,
      provider: 'tokenramp',
      provider_quote_id: `USDC alphanet 100 ${USDC}`,
    };
    const quote = { ...anOnrampQuote(), onramp: 'tokenramp' };
    const state = aQuoteState({ quotes: [{ quote, plan: { ...plan, funding } }] });
    return (await client.confirmed({}, state)).payment_id;
  };
  const visit = (
    paymentId: string,
    at = client.service.url,
    headers: Record<string, string> = { [CLIENT_IP_HEADER]: VISITOR },
  ) =>
    client.request(`/funding/${paymentId}`, {
      caller: { kind: 'funding', paymentId, permissions: [] },
      headers,
      at,
    });
  const callBack = (body: string, at = client.service.url) =>
    client.request('/providers/tokenramp/callbacks', {
      method: 'POST',
      body,
      caller: { kind: 'provider', provider: 'tokenramp', orgId: '', keyId: '', permissions: [] },
      at,
    });
  const issued = () => onramp.requestsFor('token').length;

  it('opens checkouts in each replica with one token, for the address of the visitor', async () => {
    const payments = [await onrampPayment(), await onrampPayment()];
    const answers = await Promise.all([
      visit(payments[0] ?? ''),
      visit(payments[1] ?? '', other.url),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(issued()).toBe(1);
    const addresses = onramp.requestsFor('session').map(({ headers }) => headers['x-user-ip']);
    expect(addresses).toEqual([VISITOR, VISITOR]);
  });

  it('opens none for an unknown address, and says why', async () => {
    const answer = await visit(await onrampPayment(), client.service.url, {});
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('IP address must be known');
  });

  it('keeps tokens encrypted', async () => {
    const rows: { text: string }[] = await client.admin.query(
      'SELECT provider_tokens::text AS text FROM provider_tokens',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain('access token');
  });

  it('takes callbacks by the token of each replica, also by a former one', async () => {
    const paymentId = await onrampPayment();
    await visit(paymentId);
    const former = onramp.callback(paymentId);
    onramp.revoke();
    await client.admin.query('UPDATE provider_tokens SET claimable_at = now()');
    const count = issued();
    // The poll after a callback replaces the token that is refused.
    expect((await callBack(former)).status).toBe(200);
    await eventually(() => expect(issued()).toBe(count + 1));
    await eventually(async () => {
      expect((await callBack(onramp.callback(paymentId), other.url)).status).toBe(200);
    });
    expect((await callBack(former, other.url)).status).toBe(200);
    expect(issued()).toBe(count + 1);
  });

  it('refuses forged callbacks without a call to the provider', async () => {
    const paymentId = await onrampPayment();
    await visit(paymentId);
    const { length } = onramp.server.requests;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callBack(onramp.callback(paymentId, 'another key'))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(onramp.server.requests).toHaveLength(length);
  });
});
