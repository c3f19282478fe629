import type { ParkedFundIssue, ParkedFundsResponse, TokenIdentifier } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually, vaultDeposit } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { getAddress } from 'viem';
import { BETA_USDC, CHAINS, confirmCrossing, alignClocks } from '../testing/crossing.fixture.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC, USDT, WETH } from '../testing/a-quote.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import type { PaymentWish } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const AMOUNT = 100n * ONE_USDC;

describe('POST /payments/issues', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start(
      { EXECUTION_PATIENCE_MS: '1500', EXECUTION_RETRY_MS: '300', STALLED_AFTER_MS: '1000' },
      CHAINS,
    );
  });
  afterEach(async () => {
    await stack.stopServices();
    await stack.resumeMining();
    await alignClocks(stack);
  });
  afterAll(() => stack.stop());

  const confirm = async (wish: Partial<PaymentWish> = {}): Promise<PaymentRecord> => {
    service = await stack.startProcess();
    return stack.confirm(service, { input: USDC, output: USDC, amount: AMOUNT, ...wish });
  };
  const ask = ({ orgId, ownerAddress }: PaymentRecord): Promise<ParkedFundsResponse> =>
    stack.post(
      service,
      '/payments/issues',
      { owner_address: ownerAddress.toLowerCase() },
      { orgId, permissions: ['payments:read'] },
    );
  const short = (issues: readonly ParkedFundIssue[]) =>
    issues.map(({ classification, token, balance, severity }) => [
      classification,
      token,
      balance['#'],
      severity,
    ]);
  const expectIssues = (
    payment: PaymentRecord,
    expected: [ParkedFundIssue['classification'], TokenIdentifier, bigint, 'HIGH' | 'LOW'][],
  ): Promise<ParkedFundIssue[]> =>
    eventually(
      async () => {
        const { issues, unread_chains } = await ask(payment);
        const wanted = expected.map(([kind, token, amount, severity]) => [
          kind,
          token,
          amount.toString(),
          severity,
        ]);
        expect({ issues: short(issues), unread_chains }).toEqual({
          issues: wanted,
          unread_chains: [],
        });
        return issues;
      },
      { timeoutMs: 60_000 },
    );

  it('reports an insufficient deposit as UNDERFUNDED, until its owner withdraws it', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await confirm({ owner: owner.address });
    await expectIssues(payment, []);
    const sent = 40n * ONE_USDC;
    await stack.send(USDC, payment.walletAddress, sent);
    const [issue] = await expectIssues(payment, [['UNDERFUNDED', USDC, sent, 'HIGH']]);
    expect(issue).toEqual({
      kind: 'parked_fund',
      token: USDC,
      balance: { '#': '40000000' },
      classification: 'UNDERFUNDED',
      severity: 'HIGH',
      payment_gist: {
        op: 'buy',
        destination_address: getAddress(payment.destinationAddress),
        destination_token: payment.quoted.output_amount.asset,
      },
      withdraw_from: {
        withdraw_type: 'PAYMENT',
        payment_id: payment.id,
        withdraw_account: 'SPW',
      },
    });
    await withdrawFromOutside(stack, payment, owner, {
      token: USDC,
      amount: sent,
      acceptBlame: true,
    });
    await expectIssues(payment, []);
  });

  it('reports other tokens and other chains as MISSENT', async () => {
    const payment = await confirm();
    await stack.send(USDT, payment.walletAddress, 7n * ONE_USDC);
    await stack.send(BETA_USDC, payment.walletAddress, 9n * ONE_USDC);
    await expectIssues(payment, [
      ['MISSENT', USDT, 7n * ONE_USDC, 'HIGH'],
      ['MISSENT', BETA_USDC, 9n * ONE_USDC, 'HIGH'],
    ]);
  });

  it('offers no withdrawal where the owner’s contract does not exist, or the payment is frozen', async () => {
    const payment = await confirm();
    await stack.sql(`UPDATE payments SET owner_chains = '["alphanet"]' WHERE id = $1`, [
      payment.id,
    ]);
    await stack.send(USDT, payment.walletAddress, 7n * ONE_USDC);
    await stack.send(BETA_USDC, payment.walletAddress, 9n * ONE_USDC);
    const places = async () =>
      (await ask(payment)).issues.map(({ token, withdraw_from: from }) => [token, from !== null]);
    await eventually(async () => {
      expect(await places()).toEqual([
        [USDT, true],
        [BETA_USDC, false],
      ]);
    });
    await stack.sql(`UPDATE payments SET status = 'TAINTED' WHERE id = $1`, [payment.id]);
    expect(await places()).toEqual([
      [USDT, false],
      [BETA_USDC, false],
    ]);
  });

  it('reports an excess as EXTRA after completion, and dust with low severity', async () => {
    const payment = await confirm();
    await stack.send(USDC, payment.walletAddress, AMOUNT + 3n * ONE_USDC);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const [extra] = await expectIssues(payment, [['EXTRA', USDC, 3n * ONE_USDC, 'HIGH']]);
    expect(extra).toMatchObject({ withdraw_from: { payment_id: payment.id } });
    // Sanctioned senders leave it COMPLETE, but nothing is withdrawn any more.
    await stack.sql(`UPDATE payments SET senders = 'TAINTED' WHERE id = $1`, [payment.id]);
    const [frozen] = await expectIssues(payment, [['EXTRA', USDC, 3n * ONE_USDC, 'HIGH']]);
    expect(frozen).toMatchObject({ withdraw_from: null });

    const other = await confirm();
    await stack.send(USDC, other.walletAddress, AMOUNT + 40_000n);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    await expectIssues(other, [['EXTRA', USDC, 40_000n, 'LOW']]);
  });

  it('reports a deposit after the deadline as DELAYED', async () => {
    const payment = await confirm({ expirationSeconds: 2 });
    await stack.expectToBecome(payment, { status: 'EXPIRED' });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await expectIssues(payment, [['DELAYED', USDC, AMOUNT, 'HIGH']]);
  });

  it('reports the money of a leg that missed its minimum as SLIPPED', async () => {
    const quoted = await stack.quote(USDC, WETH, AMOUNT);
    const payment = await confirm({ output: WETH, minOutput: quoted * 2n });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await expectIssues(payment, [['SLIPPED', USDC, AMOUNT, 'HIGH']]);
  });

  it('reports the money of a leg that reverts as STUCK', async () => {
    const payment = await confirm({
      customActions: {
        actions: vaultDeposit(2n * AMOUNT, '0x2222222222222222222222222222222222222222'),
        user_estimated_gas: '200000',
      },
      gasLimit: 900_000n,
    });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { status: 'FAILED' });
    await expectIssues(payment, [['STUCK', USDC, AMOUNT, 'HIGH']]);
  });

  it('reports funded money as STALLED while its leg is not mined', async () => {
    const payment = await confirm();
    await stack.stopMining();
    await stack.alphanet.submit(USDC, payment.walletAddress, AMOUNT);
    await stack.node.mine({ blocks: 1 });
    await stack.expectToBecome(payment, { legs: [{ status: 'EXECUTING' }] });
    await expectIssues(payment, [['STALLED', USDC, AMOUNT, 'LOW']]);
    await stack.resumeMining();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    await expectIssues(payment, []);
  });

  it('reports money in an open order as STALLED, without a withdrawal', async () => {
    service = await stack.startProcess();
    const payment = await confirmCrossing(stack, service, {
      input: USDC,
      output: BETA_USDC,
      amount: AMOUNT,
    });
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    await stack.expectToBecome(payment, { legs: [{ transfer: { status: 'OPEN' } }, {}] });
    const [issue] = await expectIssues(payment, [['STALLED', USDC, AMOUNT, 'LOW']]);
    expect(issue?.withdraw_from).toBeNull();
  });
});
