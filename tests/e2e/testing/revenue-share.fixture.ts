import { expect } from '@jest/globals';
import type { Payment } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { Api } from '../../../tools/first-payment/api.js';
import {
  quote,
  quoteAndConfirm,
  type PaymentRequest,
} from '../../../tools/first-payment/payments.js';
import { finish, fund } from '../../../tools/first-payment/swap.js';
import { newTestUserWith, type Stage } from '../../../tools/first-payment/test-user.js';
import type { StackProcess } from '../../testing/stack-process.fixture.js';
import { newOrganisation } from './operators.fixture.js';

const NAME = 'partner';
const PATIENCE = { timeoutMs: 30_000 };
/** Percentages in millionths. */
const SHARES = [
  { address: privateKeyToAddress(generatePrivateKey()), pct: '1.5', ppm: 15_000n },
  { address: privateKeyToAddress(generatePrivateKey()), pct: '0.7531', ppm: 7_531n },
];
const GIVEN = [
  { symbol: 'USDC', amount: '40.000001', get: 'WETH' },
  { symbol: 'ETH', amount: '0.02', get: 'USDC' },
];

/** Pays with a revenue share that the operator configures while the stack runs, until it is disabled. */
export async function runRevenueShare(stage: Stage, stack: StackProcess): Promise<Payment[]> {
  const { organisation_id } = stage.stack;
  const share = ['--organisation', organisation_id, '--name', NAME];
  const receivers = SHARES.map(({ address, pct }) => `alphanet:${address}=${pct}`).join(',');
  const probe = await requestOf(stage, { symbol: 'USDC', amount: '40', get: 'USDC' });
  await expectRefused(stage.api, probe.request);
  await stack.operator('rev-shares', 'create', ...share, '--receivers', receivers);
  await eventually(async () => {
    expect((await quote(stage.api, probe.request)).quotes).toHaveLength(1);
  }, PATIENCE);
  const other = await newOrganisation(stack);
  await expectRefused(new Api(stage.stack.base_url, other.secret), probe.request);

  const payments: Payment[] = [];
  for (const given of GIVEN) payments.push(await pay(stage, given));

  expect(await stack.operator('rev-shares', 'list', '--organisation', organisation_id)).toContain(
    `${NAME}  enabled`,
  );
  await stack.operator('rev-shares', 'disable', ...share);
  await eventually(() => expectRefused(stage.api, probe.request), PATIENCE);
  return payments;
}

type Given = (typeof GIVEN)[number];

async function requestOf({ chain }: Stage, { symbol, amount, get }: Given) {
  const input = chain.token(symbol);
  const user = await newTestUserWith(chain, input, amount);
  const request: PaymentRequest = {
    input: { asset: input, amount },
    output: chain.token(get),
    owner: user.owner.address,
    destination: user.destination,
    revShareName: NAME,
  };
  return { user, request };
}

/** Pays, and compares the receivers' balances with their percentages of the input. */
async function pay(stage: Stage, given: Given): Promise<Payment> {
  const { api, chain } = stage;
  const { user, request } = await requestOf(stage, given);
  const token = chain.token(given.symbol);
  const held = () => Promise.all(SHARES.map(({ address }) => chain.balance(token, address)));
  const before = await held();
  const { payment } = await quoteAndConfirm(api, request);
  await fund(stage, user, payment);
  const completed = await finish(stage, payment.payment_id, given.get);
  const units = await chain.units(token, given.amount);
  const [first = 0n, second = 0n] = (await held()).map((now, index) => now - (before[index] ?? 0n));
  const shareOf = (ppm: bigint) => (units * ppm) / 1_000_000n;
  expect(first).toBe(shareOf(SHARES[0]?.ppm ?? 0n));
  expect(first + second).toBe(shareOf(SHARES.reduce((sum, { ppm }) => sum + ppm, 0n)));
  expect(completed.fulfilled.fees.business_fees).toBe(completed.quoted.fees.business_fees);
  expect(completed.fulfilled.route[1]?.pieces_info.map(({ type }) => type)).toContain('rev_share');
  return completed;
}

async function expectRefused(api: Api, request: PaymentRequest): Promise<void> {
  await expect(quote(api, request)).rejects.toThrow('org_configuration');
}
