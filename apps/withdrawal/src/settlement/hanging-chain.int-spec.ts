import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { eventually, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import { BETA_USDC, ORGANISATION, USDC } from '../testing/withdrawal-stage.fixture.js';

const AMOUNT = 40_000_000n;
const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-000000000002';
const owner = privateKeyToAccount(generatePrivateKey());

let stages: TwoChainStage;
let betaNode: LyingNode;
beforeAll(async () => {
  stages = await startTwoChainStage();
  betaNode = await startLyingNode(stages.stage.environment.RPC_URLS_BETANET);
  await stages.stage.restart({ RPC_URLS_BETANET: betaNode.url });
}, 120_000);
afterAll(async () => {
  await stages.stop();
  await betaNode.stop();
});

/** Confirms a withdrawal of a new payment, which stays in flight where the node refuses transactions; returns the wallet. */
async function inFlight(token: TokenIdentifier, orgId: string): Promise<string> {
  const { stage, betanet } = stages;
  const payment = aPayment(owner.address);
  payment.state.payment.org_id = orgId;
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await (token === USDC ? stage : betanet).fund(token, payment.wallet, AMOUNT);
  const request = {
    payment_id: payment.id,
    token_amounts: [{ token, amount: '40' }],
    recipient_address: privateKeyToAddress(generatePrivateKey()),
  };
  const asked = await stage.call<WithdrawResponse>('/payments/withdraw', request, orgId);
  const { body: answer } = asked;
  const signature = await signWithdrawal(answer, owner);
  const confirmed = await stage.call<WithdrawalStatusResponse & ErrorBody>(
    '/payments/withdraw/confirm',
    { state_token: answer.state_token, signature, polling_timeout: 0 },
    orgId,
  );
  expect(confirmed.body.status).toBe('PENDING');
  return payment.wallet.toLowerCase();
}

/** Withdrawals whose checks are in progress. */
async function checksInProgress(): Promise<number> {
  const metrics = await stages.stage.service().context.metrics.metrics();
  return Number(/^due_worker_in_flight\{worker="withdrawals"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

describe('withdrawals in flight on a chain that hangs', () => {
  it('leave room for those of another chain, whatever organisations they are of', async () => {
    const { stage } = stages;
    const wallets: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const hang = async (call: object): Promise<void> => {
      const text = JSON.stringify(call).toLowerCase();
      if (wallets.some((wallet) => text.includes(wallet))) await released;
    };
    const refused = { error: { code: -32_000, message: 'unavailable' } };
    stage.refuseTransactions(true);
    betaNode.lies.set('eth_sendRawTransaction', () => Promise.resolve(refused));
    try {
      const all = [await inFlight(BETA_USDC, ORGANISATION)];
      for (const orgId of [ORGANISATION, OTHER_ORGANISATION]) {
        for (let each = 0; each < 4; each += 1) all.push(await inFlight(USDC, orgId));
      }
      wallets.push(...all);
      stage.interceptNode(async (call) => {
        await hang(call);
        return null;
      });
      for (const method of ['eth_call', 'eth_getCode', 'eth_getLogs', 'eth_getBalance']) {
        betaNode.lies.set(method, async (call, honest) => {
          await hang(call);
          return honest();
        });
      }
      // Four of each organisation on one chain, and the one of the other chain.
      await eventually(async () => expect(await checksInProgress()).toBeGreaterThanOrEqual(9));
    } finally {
      release();
      betaNode.lies.clear();
      stage.interceptNode();
      stage.refuseTransactions(false);
    }
  });
});
