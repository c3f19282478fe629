import type { StackFile } from '@bascule/composition';
import type { Payment } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Chain } from '../../tools/first-payment/chain.js';
import { trustedDepositAddress } from '../../tools/first-payment/payments.js';
import {
  newTestUser,
  newTestUserWith,
  type TestUser,
} from '../../tools/first-payment/test-user.js';
import { verifyCompleted } from '../../tools/first-payment/verify-completed.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { startChromium, ShopTab } from './testing/browser/browser.fixture.js';
import type { Order } from './testing/browser/page/shop.page.js';
import { ShopServer } from './testing/browser/shop.fixture.js';
import { apiOf, newOrganisation } from './testing/operators.fixture.js';

let stack: StackProcess;
let file: StackFile;
let chain: Chain;
let shop: ShopServer;
let browser: Browser;
let tab: ShopTab;

beforeAll(async () => {
  stack = await StackProcess.create('browser');
  file = await stack.start();
  chain = new Chain(file, 'alphanet');
  shop = await ShopServer.start(file.base_url);
  browser = await startChromium();
});

afterAll(async () => {
  await browser.close();
  await shop.close();
  await stack.dispose();
});

/** Opens the shop; the wallet holds the user's account and a stranger's. */
async function open(
  { owner }: TestUser,
  { origin = shop.origin, key = file.keys.publishable } = {},
): Promise<ShopTab> {
  const accounts = [owner, newTestUser().owner];
  tab = await ShopTab.open(browser, { stack: file, origin, key, accounts });
  return tab;
}

const swapOf = (amount: string, { destination }: TestUser): Order => ({
  input: { asset: chain.token('USDC'), amount },
  output: chain.token('WETH'),
  destination,
});

const purchaseOf = ({ destination }: TestUser): Order => ({
  input: { asset: 'usd', amount: '120' },
  output: chain.token('USDC'),
  destination,
  quote: { onramps: ['swiftramp'] },
});

/** Answers of the API on the way to a checkout and back, where the browser leaves the page. */
const answeredOnTheWay = ({ payment_id }: Payment) => [
  'POST /payments/confirm 200',
  `GET /funding/${payment_id} 303`,
  expect.stringMatching(`^GET /funding/${payment_id}/return (200|303)$`),
];

/**
 * Confirms a payment of 25 USDC, sends 10 and leaves; the user comes back with the wallet alone, in a new profile.
 * @returns the payment, which the open page does not know
 */
async function underpayAndReturn(): Promise<{ user: TestUser; underpaid: Payment }> {
  const user = await newTestUserWith(chain, chain.token('USDC'), '10');
  await open(user);
  const underpaid = await tab.call('order', swapOf('25', user));
  await tab.call('pay', underpaid, '10');
  await tab.close();
  await open(user);
  return { user, underpaid };
}

describe('a page in a browser', () => {
  afterEach(() => tab.close());

  it('swaps tokens that its wallet pays', async () => {
    const user = await newTestUserWith(chain, chain.token('USDC'), '25');
    await open(user);
    const ordered = await tab.call('order', swapOf('25', user));
    expect(ordered.status).toBe('PENDING');
    const participants = { owner: user.owner.address, destination: user.destination };
    expect(trustedDepositAddress(participants, ordered)).not.toBe(user.destination);
    await tab.call('pay', ordered);
    const completed = await tab.call('follow', ordered.payment_id, 'COMPLETE');
    expect(tab.wallet.signed).toEqual(['eth_sendTransaction']);
    await verifyCompleted(chain, completed);
  });

  it('pays 2,500 dollars after its wallet has signed as the owner, and not as a stranger', async () => {
    const user = await newTestUserWith(chain, chain.token('USDC'), '2500');
    await open(user);
    const order = { ...swapOf('2500', user), confirm: { simulate_withdrawal: true } };
    const unconfirmed = await tab.call('order', order);
    expect(unconfirmed.status).toBe('UNCONFIRMED');
    expect(await tab.call('verify', unconfirmed, 1)).toMatchObject({
      status: 401,
      body: { errors: [{ kind: expect.any(String), message: expect.any(String) }] },
    });
    const { status, body } = await tab.call('verify', unconfirmed);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect(new Set(tab.wallet.signed)).toEqual(new Set(['personal_sign', 'eth_signTypedData_v4']));
    await tab.call('pay', body as Payment);
    const completed = await tab.call('follow', unconfirmed.payment_id, 'COMPLETE');
    await verifyCompleted(chain, completed);
  });

  it('buys tokens at a checkout that leads back once they are paid out', async () => {
    const register = ['--organisation', file.organisation_id, '--origin', shop.origin];
    await stack.operator('redirect-origins', 'add', ...register);
    const user = newTestUser();
    await open(user);
    const confirm = { client_redirect_after: 'COMPLETED' };
    await tab.call('goToCheckout', { ...purchaseOf(user), confirm });
    await tab.payAtCheckout(file.sandbox_provider.base_url);
    await tab.page.waitForURL(`${shop.origin}/**`);
    const completed = await tab.call('current');
    await verifyCompleted(chain, completed);
    expect(tab.answered).toEqual(expect.arrayContaining(answeredOnTheWay(completed)));
  });

  it('is linked to by a checkout where its origin is not registered', async () => {
    const user = newTestUser();
    await open(user, { origin: shop.otherOrigin });
    await tab.call('goToCheckout', purchaseOf(user));
    await tab.payAtCheckout(file.sandbox_provider.base_url);
    const link = tab.page.getByRole('link', { name: new URL(shop.otherOrigin).host });
    await link.click();
    await tab.page.waitForURL(`${shop.otherOrigin}/**`);
    const { payment_id } = await tab.call('current');
    const completed = await tab.call('follow', payment_id, 'COMPLETE');
    await verifyCompleted(chain, completed);
    expect(tab.answered).toEqual(expect.arrayContaining(answeredOnTheWay(completed)));
  });

  it('retries an underpaid payment that it finds by the wallet alone', async () => {
    const { user, underpaid } = await underpayAndReturn();
    const retry = await tab.call('retry');
    expect(retry).toMatchObject({
      parent_payment_id: underpaid.payment_id,
      destination_address: user.destination,
    });
    const completed = await tab.call('follow', retry.payment_id, 'COMPLETE');
    expect(tab.wallet.signed).toEqual(['eth_signTypedData_v4']);
    await tab.call('follow', underpaid.payment_id, 'WITHDRAWN');
    await verifyCompleted(chain, completed);
  });

  it('withdraws the money of an underpaid payment that it finds by the wallet alone', async () => {
    const { user, underpaid } = await underpayAndReturn();
    const { payment_id } = underpaid;
    const withdrawal = await tab.call('recover');
    expect(withdrawal).toMatchObject({ payment_id, status: 'SUCCESS' });
    expect(tab.wallet.signed).toEqual(['eth_signTypedData_v4']);
    const { withdrawals } = await tab.call('follow', payment_id, 'WITHDRAWN');
    const token = chain.token('USDC');
    expect(withdrawals).toMatchObject([
      { status: 'SUCCESS', token_amounts: [{ token, amount: '10' }], issues: [] },
    ]);
    const held = await chain.amount(token, await chain.balance(token, user.owner.address));
    expect(Number(held)).toBeGreaterThan(8);
  });

  it('reads request ids, limits and when to ask again', async () => {
    const { publishable, keySetId } = await newOrganisation(stack);
    await stack.operator('keys', 'limit', '--key-set', keySetId, '--limit', '2');
    await open(newTestUser(), { key: publishable });
    const headers = { 'x-request-id': 'request-of-a-page' };
    const first = await tab.call('request', 'GET', '/chains', { headers });
    expect(first).toMatchObject({ status: 200, headers });
    expect(first.headers).toMatchObject({
      ratelimit: expect.any(String),
      'ratelimit-policy': expect.any(String),
      etag: expect.any(String),
    });
    const refused = await eventually(async () => {
      const answer = await tab.call('request', 'GET', '/chains');
      expect(answer.status).toBe(429);
      return answer;
    });
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      'x-request-id': expect.stringMatching(/\S{8,}/),
    });
  });

  it('reads why its key may not manage webhooks', async () => {
    await open(newTestUser());
    const refused = await tab.call('request', 'PATCH', '/orgs/webhooks', { body: {} });
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ kind: 'other' }] } });
  });

  it('reads that its origin is not allowed', async () => {
    const { organisationId, publishable: key } = await newOrganisation(stack);
    const origins = ['--organisation', organisationId, '--origins', shop.origin];
    await stack.operator('organisations', 'restrict', ...origins);
    await open(newTestUser(), { origin: shop.otherOrigin, key });
    const foreign = await tab.call('request', 'GET', '/chains');
    expect(foreign).toMatchObject({
      status: 403,
      body: { errors: [{ kind: 'other', message: expect.stringContaining('origin') }] },
    });
    await tab.close();
    await open(newTestUser(), { key });
    expect((await tab.call('request', 'GET', '/chains')).status).toBe(200);
  });
});

describe('the reader of the API description', () => {
  it('shows every operation and loads nothing from another host', async () => {
    const page = await browser.newPage();
    const requested: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`${file.base_url}/docs`);
    await page.waitForSelector('#operations-Payments-createQuotes');
    const { paths } = await apiOf(stack, null).get<{ paths: Record<string, object> }>(
      '/openapi.json',
    );
    const count = Object.values(paths).flatMap((item) => Object.keys(item)).length;
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(count);
    const origins = requested
      .filter((url) => !url.startsWith('data:'))
      .map((url) => new URL(url).origin);
    expect(new Set(origins)).toEqual(new Set([new URL(file.base_url).origin]));
    expect(problems).toEqual([]);
    await page.close();
  });
});
