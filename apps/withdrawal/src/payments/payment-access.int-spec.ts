import type { BalancesResponse, ErrorBody } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ProjectionWaits } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { ORGANISATION, USDC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-000000000002';
const CALLER: Caller = { orgId: ORGANISATION, keyId: 'k', kind: 'secret', permissions: [] };
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterAll(() => stage.stop());

const publish = ({ id, state }: TestPayment) =>
  stage.publish('payment', 'payment.confirmed', id, state);
const balances = (paymentId: string, orgId = ORGANISATION) =>
  stage.call<BalancesResponse & ErrorBody>('/payments/balances', { payment_id: paymentId }, orgId);

describe('a payment while as many of its organisation wait as may', () => {
  let free: (found: string) => void;
  let waiting: Promise<string | null>[];
  beforeEach(() => {
    const waits = stage.service().app.get(ProjectionWaits);
    const { promise: freed, resolve } = Promise.withResolvers<string>();
    free = resolve;
    waiting = Array.from({ length: 20 }, () => {
      const answers = [null, freed];
      return waits.forId(uuidv7(), CALLER, async () => (await answers.shift()) ?? null);
    });
  });
  afterEach(async () => {
    free('found');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['found']));
  });

  it('is 503 with Retry-After until it is known', async () => {
    const payment = aPayment(anAddress());
    const { status, headers, body } = await balances(payment.id);
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(body.errors).toMatchObject([{ kind: 'unknown' }]);
    await publish(payment);
    await eventually(async () => {
      expect((await balances(payment.id)).status).toBe(200);
    });
  });

  it('is 404 when its id cannot arrive any more, and for another organisation', async () => {
    const old = uuidv7({ msecs: Date.now() - 3_600_000 });
    const answers = [balances(uuidv4()), balances(old), balances(uuidv7(), OTHER_ORGANISATION)];
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('is withdrawn to an address that is no payment’s', async () => {
    const payment = aPayment(anAddress());
    await publish(payment);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
    const { status } = await eventually(async () => {
      const answer = await stage.call('/payments/withdraw', {
        payment_id: payment.id,
        token_amounts: [{ token: USDC, amount: '40' }],
        recipient_address: anAddress(),
      });
      expect(answer.status).not.toBe(503);
      return answer;
    });
    expect(status).toBe(200);
  });
});
