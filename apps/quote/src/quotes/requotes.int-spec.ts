import { parseAmount } from '@bascule/amounts';
import type { QuotesResponse } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ProjectionWaits } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { withdrawalGas } from '@bascule/wallet-balances';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import {
  FOREIGN_USDC,
  NATIVE,
  UNPRICED,
  USDC,
  USDT,
  WETH,
} from '../testing/catalogue-feed.fixture.js';
import {
  aParent,
  clientOf,
  park,
  parentRecord,
  type ParentChange,
  type ParentPayment,
} from '../testing/parent-payments.fixture.js';
import {
  fixedInput,
  ORGANISATION,
  startQuoteStand,
  type QuoteStand,
} from '../testing/quote-stand.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-00000000000f';
const CALLER: Caller = { orgId: ORGANISATION, keyId: 'k', kind: 'secret', permissions: [] };
const UPPER_USDT = USDT.replace(/[a-f]/g, (digit) => digit.toUpperCase()).replace(
  /^.*:/,
  'alphanet:',
);
const ETHER_USD = 3_000n;

const DECIMALS: Record<string, number> = { [USDC]: 6, [NATIVE]: 18, [UNPRICED]: 8 };

function inputOf({ quote_request: { request } }: QuotesResponse) {
  if (request.kind !== 'FIXED_INPUT') throw new Error('expected a fixed input');
  const { asset, amount } = request.fixed_input_amount;
  return { asset, units: parseAmount(amount, DECIMALS[asset] ?? 0) };
}

describe('quotes for an earlier payment', () => {
  let stand: QuoteStand;

  beforeAll(async () => {
    stand = await startQuoteStand({});
  });
  afterAll(() => stand.stop());

  async function published(change: ParentChange = {}): Promise<ParentPayment> {
    const parent = aParent(change);
    await stand.transport.publish([parentRecord(parent)]);
    return parent;
  }

  async function parked(amount: bigint, change: ParentChange = {}): Promise<ParentPayment> {
    const parent = await published(change);
    await park(stand, parent, amount, change.deposit);
    return parent;
  }

  /** Fee of a withdrawal from an undeployed wallet in wei, from the gas measured on the contracts. */
  const feeInWei = async (isNative: boolean): Promise<bigint> =>
    (await clientOf(stand).getGasPrice()) * withdrawalGas({ isNative, isDeployed: false });
  const usdcOf = (wei: bigint): bigint => (wei * ETHER_USD + 10n ** 12n - 1n) / 10n ** 12n;

  const refusalOf = async (body: object) => {
    const { status, body: answer } = await stand.refused(body);
    return { status, errors: answer.errors };
  };

  describe('by payment_id', () => {
    it('take the balance less its withdrawal fee as input, to the last unit', async () => {
      const parent = await parked(50_000_001n);
      const { status, body } = await stand.ask({ payment_id: parent.id, label: 'again' });
      expect([status, body.failures]).toEqual([200, []]);
      const input = 50_000_001n - usdcOf(await feeInWei(false));
      const { request, ...rest } = body.quote_request;
      expect(request).toEqual({
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: USDC, amount: expect.anything() as unknown },
        output_asset: USDC,
      });
      expect(inputOf(body)).toEqual({ asset: USDC, units: input });
      expect(rest).toEqual({ parent_payment_id: parent.id, label: 'again' });
      const again = await stand.ask(body.quote_request);
      expect([again.status, again.body.quote_request]).toEqual([200, body.quote_request]);
      const { quote_request, quotes } = await stand.open(body.state_token);
      expect(quote_request).toMatchObject({ parent_payment_id: parent.id });
      expect(quotes.map(({ plan }) => plan.deposit)).toEqual([
        { token: USDC, required_amount: input.toString() },
      ]);
      const [quoted] = body.quotes;
      expect(quoted?.payment_id).not.toBe(parent.id);
      expect(quoted?.route[0]?.type).toBe('USER_FUND');
    });

    it('keep the decimals of the deposit token', async () => {
      const parent = await parked(10n ** 18n + 7n, { deposit: NATIVE, output: USDC });
      const { body } = await stand.ask({ payment_id: parent.id });
      const units = 10n ** 18n + 7n - (await feeInWei(true));
      expect(inputOf(body)).toEqual({ asset: NATIVE, units });
    });

    it.each([
      ["default to the payment's output asset", undefined, WETH],
      ['take another output asset', { output_asset: UPPER_USDT }, USDT],
      ['ignore an absent output asset', { output_asset: null }, WETH],
    ])('%s', async (_what, request, output) => {
      const parent = await parked(50_000_000n, { output: WETH });
      const payment_id = parent.id.toUpperCase();
      const parent_payment_id = parent.id;
      const { status, body } = await stand.ask({ payment_id, parent_payment_id, request });
      expect(status).toBe(200);
      expect(body.quotes.map(({ output_amount }) => output_amount.asset)).toEqual([output]);
    });

    it.each(['COMPLETE', 'PENDING', 'FAILED', 'WITHDRAWN'] as const)(
      'are offered while a %s payment holds money',
      async (status) => {
        const parent = await parked(50_000_000n, { status });
        const { body } = await stand.ask({ payment_id: parent.id });
        expect(body.quotes).toHaveLength(1);
      },
    );

    it.each([
      ['nothing', 0n],
      ['less than the withdrawal fee', 10n],
    ])('are 400 NO_VALID_AMOUNT when the wallet holds %s', async (_what, amount) => {
      const parent = await published();
      if (amount > 0n) await park(stand, parent, amount);
      expect(await refusalOf({ payment_id: parent.id })).toMatchObject({
        status: 400,
        errors: [{ kind: 'amount', asset: USDC, reason: 'NO_VALID_AMOUNT', source: 'withdrawal' }],
      });
    });

    it('are 400 NO_VALID_AMOUNT when the wallet holds another token only', async () => {
      const parent = await published();
      await park(stand, parent, 10n ** 18n, NATIVE);
      expect(await refusalOf({ payment_id: parent.id })).toMatchObject({
        status: 400,
        errors: [{ kind: 'amount', asset: USDC, given: '0', reason: 'NO_VALID_AMOUNT' }],
      });
    });

    it('are 400 for an amount below the fees of every route', async () => {
      const fee = usdcOf(await feeInWei(false));
      const parent = await parked(fee + 1n);
      expect(await refusalOf({ payment_id: parent.id })).toMatchObject({
        status: 400,
        errors: [{ kind: 'amount', asset: USDC, reason: 'TOO_LOW' }],
      });
    });

    it('charge no withdrawal fee for a token without a price', async () => {
      const parent = await parked(5n, { deposit: UNPRICED, output: UNPRICED });
      const { status, body } = await stand.ask({ payment_id: parent.id });
      expect([status, body.quotes]).toEqual([200, []]);
      expect(inputOf(body)).toEqual({ asset: UNPRICED, units: 5n });
    });

    it('are 503 while the chain of the deposit cannot be read', async () => {
      const parent = await published({ deposit: FOREIGN_USDC });
      expect(await refusalOf({ payment_id: parent.id })).toMatchObject({
        status: 503,
        errors: [{ kind: 'unknown', message: expect.stringContaining('betanet') as unknown }],
      });
    });

    it('follow the newest event of the payment', async () => {
      const parent = await parked(50_000_000n);
      await stand.ask({ payment_id: parent.id });
      const state = structuredClone(parent.state);
      state.version = 2;
      state.payment.status = 'TAINTED';
      const changed = { ...parent, state };
      await stand.transport.publish([parentRecord(changed), parentRecord(parent)]);
      const isRefused = async () =>
        expect(await refusalOf({ payment_id: parent.id })).toMatchObject({ status: 403 });
      // Events of different payments have no order.
      await eventually(isRefused);
      const marker = await published();
      await refusalOf({ payment_id: marker.id });
      await isRefused();
    });

    it('are 400 with a hop that is the chain of the deposit', async () => {
      const parent = await parked(50_000_000n, { output: FOREIGN_USDC });
      expect(await refusalOf({ payment_id: parent.id, hops: ['alphanet'] })).toMatchObject({
        status: 400,
        errors: [{ path: ['hops', 0] }],
      });
    });

    it('report all problems at once', async () => {
      const { status, errors } = await refusalOf({
        payment_id: 'x',
        parent_payment_id: uuidv7(),
        request: { kind: 'FIXED_INPUT', output_asset: 'nowhere:0x', dest_address: '0x1' },
        onramp_methods: ['CASH'],
      });
      expect(status).toBe(400);
      const paths = errors.map((error) => ('path' in error ? error.path.join('.') : error.kind));
      expect(new Set(paths)).toEqual(
        new Set([
          'payment_id',
          'parent_payment_id',
          'request.kind',
          'request.output_asset',
          'request.dest_address',
          'onramp_methods.0',
        ]),
      );
    });

    it('are 400 with an outcome on demand from a live key, which a test key may ask for', async () => {
      const parent = await parked(50_000_000n);
      const body = { payment_id: parent.id, test_outcome: 'FAILS' };
      expect(await refusalOf(body)).toMatchObject({
        status: 400,
        errors: [{ path: ['test_outcome'], message: 'Not allowed with a live key.' }],
      });
      const { status, body: answer } = await stand.ask(body, ['quotes'], { mode: 'test' });
      expect([status, answer.quote_request.test_outcome]).toEqual([200, 'FAILS']);
    });

    it('are 400 when parent_payment_id names another payment', async () => {
      const [parent, other] = [await parked(50_000_000n), await published()];
      expect(await refusalOf({ payment_id: parent.id, parent_payment_id: other.id })).toMatchObject(
        { status: 400, errors: [{ code: 'custom', path: ['parent_payment_id'] }] },
      );
    });

    it.each([7, [], {}, true, '', 'x'])('are 400 with %j as payment_id', async (payment_id) => {
      expect(await refusalOf({ payment_id })).toMatchObject({
        status: 400,
        errors: [{ path: ['payment_id'] }],
      });
    });
  });

  describe.each(['payment_id', 'parent_payment_id'])('by %s', (field) => {
    const naming = (id: string) => ({
      ...(field === 'payment_id' ? {} : fixedInput(USDC, '100', USDC)),
      [field]: id,
    });

    it('are 404 for an unknown payment', async () => {
      for (const id of [uuidv4(), uuidv7({ msecs: Date.now() - 3_600_000 })]) {
        expect(await refusalOf(naming(id))).toMatchObject({ status: 404 });
      }
    });

    it("are 403 for another organisation's payment, whatever it holds", async () => {
      const parent = await parked(50_000_000n, { orgId: OTHER_ORGANISATION });
      expect(await refusalOf(naming(parent.id))).toMatchObject({
        status: 403,
        errors: [{ kind: 'other' }],
      });
      const own = await stand.ask(naming(parent.id), ['quotes'], { orgId: OTHER_ORGANISATION });
      expect(own.status).toBe(200);
    });

    it.each<ParentChange>([{ status: 'TAINTED' }, { status: 'COMPLETE', senders: 'TAINTED' }])(
      'are 403 for a frozen payment: %p',
      async (frozen) => {
        const parent = await parked(50_000_000n, frozen);
        expect(await refusalOf(naming(parent.id))).toMatchObject({ status: 403 });
      },
    );

    it('are 503 until an event tells the senders, and where older code wrote them last', async () => {
      const parent = aParent({ senders: null });
      await park(stand, parent, 50_000_000n);
      const tell = (version: number, senders?: 'CLEAR') => {
        const state = { ...parent.state, version, ...(senders && { senders }) };
        return stand.transport.publish([parentRecord({ ...parent, state })]);
      };
      const expectStatus = (expected: number) =>
        eventually(async () => {
          const { status, headers } = await stand.ask(naming(parent.id));
          const retryAfter = expected === 503 ? '2' : null;
          expect([status, headers.get('retry-after')]).toEqual([expected, retryAfter]);
        });
      await tell(1);
      await expectStatus(503);
      await tell(2, 'CLEAR');
      await expectStatus(200);
      await tell(3);
      await expectStatus(503);
      await tell(4, 'CLEAR');
      await expectStatus(200);
      const attempted = (at: string) =>
        stand.database.rows(`UPDATE projection_state SET attempted_at = ${at}`);
      await attempted(`now() + interval '1 hour'`);
      await stand.database.rows('UPDATE payments SET projected_version = NULL WHERE id = $1', [
        parent.id,
      ]);
      await expectStatus(503);
      // The topic has the whole state, so the projection is built again.
      await attempted(`now() - interval '1 hour'`);
      await expectStatus(200);
    });

    it('wait for a payment that was confirmed a moment ago', async () => {
      const parent = aParent();
      await park(stand, parent, 50_000_000n);
      const asked = stand.ask(naming(parent.id));
      await stand.transport.publish([parentRecord(parent)]);
      expect((await asked).status).toBe(200);
    });

    it('are 503 with Retry-After while too many of the organisation wait for payments', async () => {
      const { promise: freed, resolve: free } = Promise.withResolvers<string>();
      const waits = stand.service.app.get(ProjectionWaits);
      const waiting = Array.from({ length: 20 }, () => {
        const answers = [null, freed];
        return waits.forId(uuidv7(), CALLER, async () => (await answers.shift()) ?? null);
      });
      try {
        const parent = aParent();
        const { status, headers } = await stand.ask(naming(parent.id));
        expect([status, headers.get('retry-after')]).toEqual([503, '2']);
        await park(stand, parent, 50_000_000n);
        await stand.transport.publish([parentRecord(parent)]);
        await eventually(async () => {
          expect((await stand.ask(naming(parent.id))).status).toBe(200);
        });
      } finally {
        free('found');
      }
      expect(new Set(await Promise.all(waiting))).toEqual(new Set(['found']));
    });

    it('are 403 without the permission to quote', async () => {
      const parent = await parked(50_000_000n);
      const { status } = await stand.refused(naming(parent.id), ['balances']);
      expect(status).toBe(403);
    });
  });

  it('take the amount of the request for a retry by parent_payment_id', async () => {
    const parent = await published({ status: 'FAILED' });
    const rest = { parent_payment_id: parent.id };
    const { status, body } = await stand.ask(fixedInput(USDC, '12.5', WETH, rest));
    expect(status).toBe(200);
    expect(body.quote_request).toMatchObject({
      ...rest,
      request: { fixed_input_amount: { asset: USDC, amount: '12.5' } },
    });
    const { quotes } = await stand.open(body.state_token);
    expect(quotes.map(({ plan }) => plan.deposit.required_amount)).toEqual(['12500000']);
  });
});
