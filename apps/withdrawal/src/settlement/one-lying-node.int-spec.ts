import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import { startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { keccak256, numberToHex } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());

let stage: Stage;
let liar: LyingNode;

beforeAll(async () => {
  stage = await startStage();
  liar = await startLyingNode(stage.rpcUrl);
  const urls = [liar.url, stage.rpcUrl, stage.rpcUrl];
  await stage.restart({ RPC_URLS_ALPHANET: urls.join(',') });
}, 120_000);
afterAll(async () => {
  await stage.stop();
  await liar.stop();
});

afterEach(() => liar.lies.clear());

/** Requests a withdrawal of 40 dollars; returns the body of its confirm. */
async function confirmable() {
  const payment = aPayment(owner.address);
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await stage.fund(USDC, payment.wallet, 40_000_000n);
  const { body: asked } = await stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: owner.address,
    withdraw_account: 'SPW',
  });
  const signature = await signWithdrawal(asked, owner);
  liar.requests.clear();
  return { state_token: asked.state_token, signature, polling_timeout: 60_000 };
}

const confirm = (request: object) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', request);

it.each<[string, object]>([
  ['reverts', { error: { code: 3, message: 'execution reverted' } }],
  ['needs a hundred million gas', { result: numberToHex(100_000_000) }],
  ['needs less gas than any transaction', { result: numberToHex(15_000) }],
  ['needs less gas than a withdrawal', { result: numberToHex(60_000) }],
])(
  'a withdrawal goes on though one node of three says that it %s',
  async (_, lie) => {
    const request = await confirmable();
    liar.lies.set('eth_estimateGas', () => Promise.resolve(lie));
    liar.lies.set('eth_sendRawTransaction', ({ params }) =>
      Promise.resolve({ result: keccak256(params[0] as Hex) }),
    );
    const { status, body } = await confirm(request);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    expect(liar.requests.get('eth_estimateGas')).toBeGreaterThan(0);
  },
  120_000,
);
