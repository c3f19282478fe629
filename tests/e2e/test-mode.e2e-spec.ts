import {
  TEST_OUTCOME_FACTS,
  type Payment,
  type PaymentHistory,
  type Quote,
  type TestOutcome,
  type WebhookList,
} from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import type { Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { openCheckout, payAt } from '../../tools/first-payment/onramp.js';
import {
  confirmBody,
  depositInfo,
  fundingPageUrl,
  quote,
  quoteAndConfirm,
  reaches,
} from '../../tools/first-payment/payments.js';
import { finish, fund } from '../../tools/first-payment/swap.js';
import {
  newTestUser,
  newTestUserWith,
  type Stage,
  type TestUser,
} from '../../tools/first-payment/test-user.js';
import { parkedBalance, withdraw } from '../../tools/first-payment/withdraw.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { newTestKeys } from './testing/operators.fixture.js';
import { silentStage } from './testing/stage.fixture.js';

const AMOUNT = '25';
const PATIENCE = { timeoutMs: 120_000 };
const FIAT_AMOUNT = '120';

interface FailingCase {
  outcome: 'FAILS' | 'SLIPS';
  way: 'a swap' | 'a crossing' | 'a crossing and a swap' | 'a card payment and a swap';
  /** Chain of the last leg. */
  lastChain: 'alphanet' | 'betanet';
  output: 'USDC' | 'WETH';
}

const WAYS: readonly Omit<FailingCase, 'outcome'>[] = [
  { way: 'a swap', lastChain: 'alphanet', output: 'WETH' },
  { way: 'a crossing', lastChain: 'betanet', output: 'USDC' },
  { way: 'a crossing and a swap', lastChain: 'betanet', output: 'WETH' },
  { way: 'a card payment and a swap', lastChain: 'alphanet', output: 'WETH' },
];
const FAILING_CASES: readonly FailingCase[] = (['FAILS', 'SLIPS'] as const).flatMap((outcome) =>
  WAYS.map((way) => ({ outcome, ...way })),
);

let stack: StackProcess;
let file: StackFile;
let live: Stage;
/** The same organisation with test keys. */
let test: Stage;
let testOrganisation: string;
/** Payments with each outcome, from the start: what outcomes wait for passes meanwhile. */
let ending: Record<'PAYS_LATE' | 'EXPIRES', Swap>;
/** Paid payments, by `<outcome> <way>`. */
const failing = new Map<string, Swap>();
/** Payment of a buyer who pays in time, and whose money the provider has later. */
let soldLate: Payment;

beforeAll(async () => {
  stack = await StackProcess.create('test-mode');
  file = await stack.start({ EXECUTION_PATIENCE_MS: '2000' });
  const { organisationId, ...keys } = await newTestKeys(stack, file.organisation_id);
  testOrganisation = organisationId;
  live = await silentStage(file);
  test = await silentStage({ ...file, keys });
  soldLate = await sellLate();
  // One by one: they have their money from one faucet.
  ending = {
    PAYS_LATE: await aSwap(test, 'PAYS_LATE'),
    EXPIRES: await aSwap(test, 'EXPIRES'),
  };
  for (const each of FAILING_CASES) failing.set(nameOf(each), await paid(each));
});

afterAll(async () => {
  await Promise.all([live.webhooks.close(), test.webhooks.close()]);
  await stack.dispose();
});

interface Swap {
  user: TestUser;
  payment: Payment;
}

/** Confirms a swap whose owner has the money. */
async function aSwap({ api, chain }: Stage, testOutcome?: TestOutcome): Promise<Swap> {
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, usdc, AMOUNT);
  const { payment } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: AMOUNT },
    output: chain.token('WETH'),
    owner: user.owner.address,
    destination: user.destination,
    ...(testOutcome && { testOutcome }),
  });
  return { user, payment };
}

async function parkedAs(payment_id: string): Promise<unknown[]> {
  const { issues } = await test.api.get<Payment>('/payments', { payment_id });
  return issues.flatMap((issue) => (issue.kind === 'parked_fund' ? issue.classification : []));
}

const nameOf = ({ outcome, way }: FailingCase) => `${outcome} ${way}`;

/** Confirms a payment of the case, and pays for it. */
async function paid({ outcome, way, lastChain, output }: FailingCase): Promise<Swap> {
  const { api, chain } = test;
  const isCard = way === 'a card payment and a swap';
  const usdc = chain.token('USDC');
  const user = isCard ? newTestUser() : await newTestUserWith(chain, usdc, AMOUNT);
  const { payment } = await quoteAndConfirm(api, {
    input: isCard ? { asset: 'usd', amount: FIAT_AMOUNT } : { asset: usdc, amount: AMOUNT },
    output: new Chain(file, lastChain).token(output),
    owner: user.owner.address,
    destination: user.destination,
    testOutcome: outcome,
    ...(isCard && { choose: bySwiftramp }),
  });
  if (isCard) await payAt(await openCheckout(fundingPageUrl(payment)));
  else await fund(test, user, payment);
  return { user, payment };
}

const bySwiftramp = (quotes: Quote[]) => quotes.find(({ onramp }) => onramp === 'swiftramp');

const reachesOutcome = (id: string, outcome: TestOutcome) =>
  reaches(test.api, id, TEST_OUTCOME_FACTS[outcome].status, PATIENCE.timeoutMs);

describe('a test key', () => {
  it('says what it is, and pays on the chains of a development stack as a live key does', async () => {
    const self = (api: Api) => api.get('/orgs/keys/self');
    expect(await self(test.api)).toMatchObject({ test_mode: true, org_id: testOrganisation });
    expect(await self(live.api)).toMatchObject({ test_mode: false, org_id: file.organisation_id });
    for (const stage of [live, test]) {
      const { user, payment } = await aSwap(stage);
      await fund(stage, user, payment);
      await finish(stage, payment.payment_id, 'WETH');
      const delivered = await stage.webhooks.waitFor(payment.payment_id, 'COMPLETE');
      expect(delivered.mode).toBe(stage === test ? 'test' : undefined);
      const other = stage === test ? live : test;
      expect(other.webhooks.statusesOf(payment.payment_id)).toEqual([]);
    }
  });

  it('shares no payment, webhook or quote with the live keys of its organisation', async () => {
    const pairs = [
      [live, test],
      [test, live],
    ] as const;
    for (const [owning, other] of pairs) {
      const { user, payment } = await aSwap(owning);
      const { payment_id } = payment;
      await knownToAll(owning.api, payment_id);
      const query = { payment_id };
      const body = { payment_id };
      const usdc = owning.chain.token('USDC');
      const withdrawal = {
        ...body,
        token_amounts: [{ token: usdc, amount: '1' }],
        recipient_address: user.owner.address,
      };
      const statuses = await Promise.all([
        other.api.request('GET', '/payments', { query }),
        other.api.request('GET', '/payments/timeline', { query }),
        other.api.request('POST', '/payments/balances', { body }),
        other.api.request('POST', '/payments/withdraw', { body: withdrawal }),
        other.api.request('POST', '/payments/quotes', { body }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);

      const owner_address = user.owner.address;
      const listed = async (api: Api) =>
        (
          await api.get<PaymentHistory>('/payments/history', { owner_address })
        ).payment_statuses.map((each) => each.payment_id);
      expect([await listed(owning.api), await listed(other.api)]).toEqual([[payment_id], []]);

      const quoted = await quote(owning.api, {
        input: { asset: usdc, amount: AMOUNT },
        output: owning.chain.token('WETH'),
        owner: user.owner.address,
        destination: user.destination,
      });
      const [chosen] = quoted.quotes;
      const stolen = confirmBody(
        { owner: user.owner.address, destination: user.destination },
        chosen?.payment_id ?? '',
        quoted.state_token,
      );
      const confirmed = await other.api.request('POST', '/payments/confirm', { body: stolen });
      expect(confirmed.status).toBe(403);
    }
    const labels = async (api: Api) =>
      (await api.get<WebhookList>('/orgs/webhooks')).webhooks.map(({ label }) => label);
    const [ours, theirs] = [await labels(live.api), await labels(test.api)];
    expect([ours.length, theirs.length]).toEqual([1, 1]);
    expect(ours).not.toEqual(theirs);
  });
});

/** Waits until every service knows the payment. */
async function knownToAll(api: Api, payment_id: string): Promise<void> {
  const body = { payment_id };
  await eventually(async () => {
    expect((await api.request('POST', '/payments/balances', { body })).status).toBe(200);
    expect((await api.request('POST', '/payments/quotes', { body })).status).toBe(400);
  }, PATIENCE);
}

describe('an outcome on demand', () => {
  it('is refused to a live key', async () => {
    const request = {
      kind: 'FIXED_INPUT',
      fixed_input_amount: { asset: live.chain.token('USDC'), amount: AMOUNT },
      output_asset: live.chain.token('WETH'),
    };
    const body = { request, test_outcome: 'FAILS' };
    expect(await live.api.request('POST', '/payments/quotes', { body })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['test_outcome'], message: 'Not allowed with a live key.' }] },
    });
  });

  it.each(FAILING_CASES)(
    '$outcome: $way fails on its last chain, is reported, and leaves the money to its owner',
    async (each) => {
      const { outcome, lastChain, output } = each;
      const swap = failing.get(nameOf(each));
      if (!swap) throw new Error(`expected a paid payment for: ${nameOf(each)}`);
      const { user, payment } = swap;
      const { payment_id } = payment;
      const last = new Chain(file, lastChain);
      const usdc = last.token('USDC');
      await reachesOutcome(payment_id, outcome);
      expect(await parkedAs(payment_id)).toEqual([TEST_OUTCOME_FACTS[outcome].parked]);
      expect(await last.balance(last.token(output), user.destination)).toBe(0n);
      expect(await test.webhooks.waitFor(payment_id, 'FAILED')).toMatchObject({ mode: 'test' });
      expect(live.webhooks.statusesOf(payment_id)).toEqual([]);
      const body = { owner_address: user.owner.address };
      const found = async (api: Api) =>
        (await api.post<{ issues: unknown[] }>('/payments/issues', body)).issues.length;
      await eventually(async () => expect(await found(test.api)).toBe(1), PATIENCE);
      expect(await found(live.api)).toBe(0);

      const parked = await parkedBalance(test.api, payment_id, 'SPW');
      const wallet = payment.processing_addresses[0]?.address as Address;
      const held = await last.balance(usdc, wallet);
      expect(held).toBeGreaterThan(0n);
      expect([parked.token, await last.units(usdc, parked.amount)]).toEqual([usdc, held]);
      const { payout } = await withdraw(test.api, user.owner, payment_id, parked);
      await reaches(test.api, payment_id, 'WITHDRAWN');
      expect(await last.balance(usdc, user.owner.address)).toBe(payout);
    },
  );

  it('EXPIRES: nothing arrives within a short window', async () => {
    const { payment } = ending.EXPIRES;
    const windowMs = Date.parse(payment.initiate_fund_by) - Date.parse(payment.created_at);
    expect(windowMs).toBe(10_000);
    const expired = await reachesOutcome(payment.payment_id, 'EXPIRES');
    expect(expired).toMatchObject({ funded: false, issues: [] });
  });

  it('PAYS_LATE: tokens, or those of a sandbox provider, arrive after the deadline', async () => {
    await sendLate(ending.PAYS_LATE);
    for (const { payment_id } of [ending.PAYS_LATE.payment, soldLate]) {
      await reachesOutcome(payment_id, 'PAYS_LATE');
      await eventually(
        async () => expect(await parkedAs(payment_id)).toEqual(['DELAYED']),
        PATIENCE,
      );
    }
  });
});

async function sellLate(): Promise<Payment> {
  const { api, chain } = test;
  const { owner, destination } = newTestUser();
  const { payment } = await quoteAndConfirm(api, {
    input: { asset: 'usd', amount: FIAT_AMOUNT },
    output: chain.token('USDC'),
    owner: owner.address,
    destination,
    testOutcome: 'PAYS_LATE',
    choose: bySwiftramp,
  });
  await payAt(await openCheckout(fundingPageUrl(payment)));
  return payment;
}

/** The payer sends the tokens once the payment has expired. */
async function sendLate({ user, payment }: Swap): Promise<void> {
  const { chain } = test;
  await reachesOutcome(payment.payment_id, 'PAYS_LATE');
  const [deposit] = depositInfo(payment);
  const units = await chain.units(chain.token('USDC'), AMOUNT);
  await chain.transfer(user.owner, chain.token('USDC'), deposit?.deposit_address as Address, units);
}
