import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import { startLyingNode } from '@bascule/testing';
import type { Lie, LyingNode } from '@bascule/testing';
import { keccak256, numberToHex, parseEther } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { RELAYER, startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
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

describe('withdrawals beside one of two nodes', () => {
  const away: Lie = () => Promise.reject(new Error('away'));

  beforeAll(async () => {
    const { RPC_URLS_ALPHANET: url } = stage.environment;
    await stage.restart({ RPC_URLS_ALPHANET: [liar.url, url].join(',') });
  }, 120_000);
  afterEach(async () => {
    stage.interceptNode();
    await stage.client.setBalance({ address: RELAYER, value: parseEther('100') });
  });

  it.each<[string, Lie]>([
    ['reports that the relayer has sent nothing', () => Promise.resolve({ result: '0x0' })],
    ['does not tell what the relayer has sent', away],
  ])(
    'are sent with what the relayer has while that one %s',
    async (_, lie) => {
      expect((await confirm(await confirmable())).body.status).toBe('SUCCESS');
      const [spent] = await stage.database.rows<{ cost: string }>(
        `SELECT gas_limit * max_fee_per_gas AS cost FROM chain_transactions
         ORDER BY nonce DESC LIMIT 1`,
      );
      const value = (BigInt(spent?.cost ?? 0) * 3n) / 2n;
      await stage.client.setBalance({ address: RELAYER, value });
      const request = await confirmable();
      liar.lies.set('eth_getTransactionCount', lie);
      const { status, body } = await confirm(request);
      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    },
    120_000,
  );

  it.each<[string, 'beside' | 'without', object]>([
    ['the year 2200', 'beside', { timestamp: numberToHex(7_258_118_400) }],
    ['seconds of more than 64 bits', 'beside', { timestamp: numberToHex(2n ** 65n) }],
    ['a head far above the chain’s', 'beside', { number: numberToHex(10n ** 12n) }],
    ['the year 2200', 'without', { timestamp: numberToHex(7_258_118_400) }],
    ['a head far above the chain’s', 'without', { number: numberToHex(10n ** 12n) }],
  ])(
    'are valid for a bounded time and settle where that one reported %s, %s the other one',
    async (_, other, lie) => {
      liar.lies.set('eth_getBlockByNumber', async ({ params }, honest) => {
        const answer = await honest();
        if (params[0] !== 'latest') return answer;
        return { result: { ...(answer.result as object), ...lie } };
      });
      if (other === 'without') {
        stage.interceptNode(({ method }) =>
          method === 'eth_getBlockByNumber' ? { status: 503 } : null,
        );
      }
      const request = await confirmable();
      liar.lies.clear();
      stage.interceptNode();
      const [asked] = await stage.database.rows<{ is_bounded: boolean; is_ahead: boolean }>(
        `SELECT expires_at < now() + interval '1 hour' AS is_bounded, from_block > $1 AS is_ahead
         FROM withdrawals ORDER BY created_at DESC LIMIT 1`,
        [(await stage.client.getBlockNumber()).toString()],
      );
      expect(asked?.is_bounded).toBe(true);
      if (other === 'beside') expect(asked?.is_ahead).toBe(false);
      const { status, body } = await confirm(request);
      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    },
    120_000,
  );

  it('are answered 503 while neither of them tells what the relayer has sent', async () => {
    const request = await confirmable();
    liar.lies.set('eth_getTransactionCount', away);
    stage.interceptNode(({ method }) =>
      method === 'eth_getTransactionCount' ? { status: 503 } : null,
    );
    expect((await confirm(request)).status).toBe(503);
    liar.lies.clear();
    stage.interceptNode();
    expect((await confirm(request)).body.status).toBe('SUCCESS');
  }, 120_000);
});
