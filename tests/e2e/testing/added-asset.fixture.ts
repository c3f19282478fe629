import { expect } from '@jest/globals';
import {
  isTokenIdentifier,
  tokenIdentifier,
  type AssetsResponse,
  type Payment,
  type TokenIdentifier,
} from '@bascule/contracts';
import { deployAnotherToken, eventually } from '@bascule/testing';
import type { Api } from '../../../tools/first-payment/api.js';
import {
  quote,
  quoteAndConfirm,
  reaches,
  type PaymentRequest,
} from '../../../tools/first-payment/payments.js';
import {
  newTestUserWith,
  type TestUser,
  type Stage,
} from '../../../tools/first-payment/test-user.js';
import { fund } from '../../../tools/first-payment/swap.js';
import { parkedBalances, withdraw } from '../../../tools/first-payment/withdraw.js';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

const AMOUNT = '20';
const PARKED = '7';
const IMAGE = 'https://a.example/another.svg';

const PATIENCE = { timeoutMs: 60_000 };

/** Pays with a token that the operator adds to a running stack, without a restart. */
export async function runAddedAsset(stage: Stage, stack: StackProcess) {
  const { chain } = stage;
  const rpcUrl = stage.stack.chains['alphanet']?.rpc_url ?? '';
  const token = tokenIdentifier('alphanet', await deployAnotherToken(rpcUrl));
  const user = await newTestUserWith(chain, token, AMOUNT);
  const request = await addAsset(stage, stack, { token, user });
  const paid = await payWith(stage, request, user);
  return { token, paid, recovered: await recoverFrom(stage, token) };
}

/** Adds a token of one dollar; returns a transfer of it by the user, once it can be quoted. */
export async function addAsset(
  { api, chain }: Stage,
  stack: StackProcess,
  { token, user }: { token: TokenIdentifier; user: TestUser },
  ...flags: string[]
): Promise<PaymentRequest> {
  const request = transferOf(token, user);
  expect(await quotesOf(api, request)).toBe(0);
  const decimals = await chain.decimals(token);
  const known = ['--image-url', IMAGE, '--pair', 'usdc/usd', '--decimals', String(decimals)];
  await stack.operator('assets', 'add', token, ...known, ...flags);
  await eventually(() => expectUsable(api, request, { token, decimals }), PATIENCE);
  return request;
}

/** @throws unless the token is listed, reachable and quoted */
async function expectUsable(
  api: Api,
  request: PaymentRequest,
  { token, decimals }: { token: TokenIdentifier; decimals: number },
): Promise<void> {
  const listed = await api.get<AssetsResponse>('/assets', { 'assets[]': token });
  expect(listed[token]).toMatchObject({ decimals });
  const reachable = await api.get<object>('/assets/available-outputs', { 'inputs[]': token });
  expect(Object.keys(reachable)).toEqual([token]);
  expect(await quotesOf(api, request)).toBeGreaterThan(0);
}

const transferOf = (token: TokenIdentifier, { owner, destination }: TestUser): PaymentRequest => ({
  input: { asset: token, amount: AMOUNT },
  output: token,
  owner: owner.address,
  destination,
});

const quotesOf = async (api: Api, request: PaymentRequest): Promise<number> =>
  quote(api, request).then(
    ({ quotes }) => quotes.length,
    () => 0,
  );

/** Confirms and funds a payment; returns it once it is paid out. */
async function payWith(stage: Stage, request: PaymentRequest, user: TestUser): Promise<Payment> {
  const { api, chain } = stage;
  const { payment } = await quoteAndConfirm(api, request);
  await fund(stage, user, payment);
  const completed = await reaches(api, payment.payment_id, 'COMPLETE');
  const { asset, amount } = completed.fulfilled.output_amount;
  if (!isTokenIdentifier(asset)) throw new Error(`paid out ${asset}`);
  expect(asset).toBe(request.output);
  const paid = await chain.balance(asset, user.destination);
  expect(paid).toBe(await chain.units(asset, amount));
  return completed;
}

/** Sends the token to a payment for another one, and withdraws it; returns the recovered amount. */
async function recoverFrom(stage: Stage, token: TokenIdentifier): Promise<bigint> {
  const { api, chain } = stage;
  const usdc = chain.token('USDC');
  const user = await newTestUserWith(chain, token, PARKED);
  const { payment, depositAddress } = await quoteAndConfirm(api, {
    input: { asset: usdc, amount: AMOUNT },
    output: usdc,
    owner: user.owner.address,
    destination: user.destination,
  });
  const units = await chain.units(token, PARKED);
  await chain.transfer(user.owner, token, depositAddress, units);
  const parked = await eventually(async () => {
    const found = (await parkedBalances(api, payment.payment_id)).find(
      (balance) => balance.token === token,
    );
    if (!found) throw new Error('the balance is not shown yet');
    return found;
  }, PATIENCE);
  const { payout } = await withdraw(api, user.owner, payment.payment_id, parked);
  expect(await chain.balance(token, user.owner.address)).toBe(payout);
  expect(payout).toBeGreaterThan(units / 2n);
  return payout;
}
