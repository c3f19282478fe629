import type {
  BalancesResponse,
  ErrorBody,
  PaymentStatus,
  SanctionedParty,
  SendersState,
  TokenIdentifier,
  WithdrawalEvent,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { eventually, SanctionedFile } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import {
  ETHER,
  ORGANISATION,
  RELAYER,
  startStage,
  USDC,
  WBTC,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

/** Reverts without a reason. */
const REFUSING = '0x60006000fd';
const anAddress = () => privateKeyToAddress(generatePrivateKey());
const FROZEN = {
  kind: 'other',
  message: 'The payment is frozen. It cannot be withdrawn through the service.',
};
const TOKEN_FROZEN = {
  kind: 'other',
  message: 'A token of the withdrawal is frozen. Withdraw the other tokens without it.',
};
const RECIPIENT_ISSUE = { kind: 'destination', message: 'The recipient is not allowed.' };
const SENDERS_UNCHECKED = {
  kind: 'unknown',
  message: "The senders of the payment's deposits are not checked yet. Try again.",
};
const NOT_RECORDED = {
  kind: 'unknown',
  message: 'A deposit has just arrived and is not recorded yet. Try again.',
};
const UNAVAILABLE = {
  kind: 'unknown',
  message: 'Could not check the addresses of the withdrawal. Try again.',
};

describe('screening of a withdrawal', () => {
  const file = new SanctionedFile();
  let stage: Stage;
  let owner: ReturnType<typeof privateKeyToAccount>;
  let payment: TestPayment;
  let recipient: Address;
  let version = 1;
  beforeAll(async () => {
    stage = await startStage({
      variables: { SCREENING_FILE: file.path, SCREENING_ALLOWANCE_USD: '20' },
    });
  }, 120_000);
  beforeEach(async () => {
    file.list();
    owner = privateKeyToAccount(generatePrivateKey());
    recipient = anAddress();
    payment = aPayment(owner.address);
    payment.state.recorded_balances = [{ token: USDC, amount: '40000000' }];
    await stage.publish('payment', 'payment.updated', payment.id, payment.state);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
  });
  afterAll(async () => {
    await stage.stop();
    file.remove();
  });

  const ask = (amount = '40') =>
    stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount }],
      recipient_address: recipient,
    });
  const asked = async (amount?: string) => {
    const { status, body } = await ask(amount);
    expect(status).toBe(200);
    return body;
  };
  const confirm = async (withdrawal: WithdrawResponse) =>
    stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
      state_token: withdrawal.state_token,
      signature: await signWithdrawal(withdrawal, owner),
      polling_timeout: 30_000,
    });
  const relayed = () => stage.client.getTransactionCount({ address: RELAYER });
  const stored = () =>
    stage.database.rows('SELECT id FROM withdrawals WHERE payment_id = $1', [payment.id]);

  type Party = SanctionedParty['party'];
  const PARTIES: [Party, () => string][] = [
    ['owner', () => owner.address],
    ['destination', () => payment.declaration.destination],
  ];

  /** Content of the events that taint the payment, whether the relay has published them or not. */
  const publishedHits = async () => {
    const rows = await stage.database.rows<{ event: WithdrawalEvent }>(
      `SELECT convert_from(value, 'UTF8')::jsonb AS event FROM event_log.records WHERE key = $1
       UNION SELECT envelope::jsonb FROM outbox WHERE key = $1`,
      [payment.id],
    );
    const hits = rows.filter(({ event }) => event.type === 'withdrawal.party_sanctioned');
    return hits.map(({ event }) => event.data);
  };
  const hitOf = (party: Party) => ({ payment_id: payment.id, org_id: ORGANISATION, party });

  it.each(PARTIES)(
    'refuses the request for a sanctioned %s, and publishes it',
    async (role, who) => {
      file.list(who());
      const { status, body } = await ask();
      expect([status, body.errors]).toEqual([403, [FROZEN]]);
      expect(await stored()).toEqual([]);
      expect(await publishedHits()).toEqual([hitOf(role)]);
    },
  );

  it.each(PARTIES)('submits nothing for a %s sanctioned meanwhile, for ever', async (role, who) => {
    const withdrawal = await asked();
    const before = await relayed();
    file.list(who());
    const { status, body } = await confirm(withdrawal);
    expect([status, body.errors]).toEqual([403, [FROZEN]]);
    expect(await publishedHits()).toEqual([hitOf(role)]);
    // The payment service answers with the taint, which outlasts the list.
    await publishSenders('CLEAR', 'TAINTED');
    file.list();
    expect((await confirm(withdrawal)).body.errors).toEqual([FROZEN]);
    expect(await relayed()).toBe(before);
    expect(await stage.balance(USDC, recipient)).toBe(0n);
  });

  it('refuses a sanctioned recipient, and taints no payment by it', async () => {
    const withdrawal = await asked();
    const before = await relayed();
    file.list(recipient);
    for (const { status, body } of [await ask(), await confirm(withdrawal)]) {
      expect([status, body.errors]).toEqual([400, [RECIPIENT_ISSUE]]);
    }
    expect(await relayed()).toBe(before);
    expect(await publishedHits()).toEqual([]);
    file.list();
    expect((await confirm(withdrawal)).body.status).toBe('SUCCESS');
  });

  it('publishes a recipient that is the owner', async () => {
    recipient = owner.address;
    file.list(recipient);
    expect((await ask()).status).toBe(403);
    expect(await publishedHits()).toEqual([hitOf('owner')]);
  });

  it('is 503 with Retry-After while a source is unavailable', async () => {
    const withdrawal = await asked();
    const before = await relayed();
    file.takeAway();
    for (const answer of [await ask(), await confirm(withdrawal)]) {
      const { status, headers, body } = answer;
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      expect(body.errors).toEqual([UNAVAILABLE]);
    }
    expect(await relayed()).toBe(before);
    expect(await stored()).toHaveLength(1);
    file.list();
    expect((await confirm(withdrawal)).body.status).toBe('SUCCESS');
  });

  it('lets small sums of an owner go on meanwhile, counted once they are confirmed', async () => {
    file.takeAway();
    const withdrawal = await asked('6');
    // A request moves nothing, so it spends nothing.
    const large = await asked('10');
    expect((await ask('10.01')).status).toBe(503);
    expect((await confirm(withdrawal)).body.status).toBe('SUCCESS');
    expect((await ask('5')).status).toBe(503);
    expect((await confirm(large)).status).toBe(503);
    await asked('4');
  });

  it('spends nothing of the allowance for a withdrawal that the chain refuses', async () => {
    file.takeAway();
    await stage.fund(ETHER, payment.wallet, 10n ** 17n);
    await stage.setCode(recipient, REFUSING);
    const { body: refused } = await stage.call<WithdrawResponse>('/payments/withdraw', {
      payment_id: payment.id,
      // 6 dollars.
      token_amounts: [{ token: ETHER, amount: '0.002' }],
      recipient_address: recipient,
    });
    expect((await confirm(refused)).status).toBe(400);
    recipient = anAddress();
    expect((await confirm(await asked('10'))).body.status).toBe('SUCCESS');
  });

  it('asks no source about a withdrawal that the wallet cannot pay', async () => {
    const questions = () =>
      stage.database.rows('SELECT 1 FROM screenings WHERE address = $1', [recipient.toLowerCase()]);
    file.takeAway();
    const { status, body } = await ask('41');
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ kind: 'amount' }]);
    expect(await questions()).toEqual([]);
    expect((await ask('40')).status).toBe(503);
    expect(await questions()).toHaveLength(1);
  });

  it('lets no sum go on whose price is too old', async () => {
    file.takeAway();
    await asked('4');
    await stage.publishPrice(USDC, '1', new Date(Date.now() - 2 * 3_600_000));
    await eventually(async () => expect((await ask('4')).status).toBe(503));
    await stage.publishPrice(USDC, '1');
    await eventually(async () => expect((await ask('4')).status).toBe(200));
  });

  const publishSenders = async (
    senders: SendersState,
    status?: PaymentStatus,
    frozen_tokens?: TokenIdentifier[],
  ) => {
    version += 1;
    const { payment: shown, ...state } = payment.state;
    await stage.publish('payment', 'payment.updated', payment.id, {
      ...{ ...state, version, senders, ...(frozen_tokens && { frozen_tokens }) },
      payment: { ...shown, status: status ?? shown.status },
    });
    await eventually(async () => {
      const known = await stage.database.rows(
        'SELECT senders, status, frozen_tokens FROM payments WHERE id = $1',
        [payment.id],
      );
      const frozen = { frozen_tokens: frozen_tokens ?? [] };
      expect(known).toEqual([{ senders, status: status ?? shown.status, ...frozen }]);
    });
  };

  it('is 503 until the senders of deposits have a verdict', async () => {
    const withdrawal = await asked();
    const before = await relayed();
    await publishSenders('WAITING');
    for (const answer of [await ask(), await confirm(withdrawal)]) {
      const { status, headers, body } = answer;
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      expect(body.errors).toEqual([SENDERS_UNCHECKED]);
    }
    expect(await relayed()).toBe(before);
    expect(await stored()).toHaveLength(1);
    await publishSenders('CLEAR');
    expect((await confirm(withdrawal)).body.status).toBe('SUCCESS');
  });

  describe('money that has just arrived', () => {
    beforeEach(async () => {
      await stage.client.setIntervalMining({ interval: 0 });
      const funded = stage.fund(USDC, payment.wallet, 10_000_000n);
      await eventually(async () => {
        expect((await stage.client.getTxpoolStatus()).pending).toBe(1);
      });
      await stage.client.mine({ blocks: 1 });
      await funded;
    });
    afterEach(() => stage.client.setIntervalMining({ interval: 1 }));

    it('is 503 until its deposit is recorded, while other money is withdrawn', async () => {
      await asked('40');
      const { status, headers, body } = await ask('50');
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      expect(body.errors).toEqual([NOT_RECORDED]);
      expect(await stored()).toHaveLength(1);
      payment.state.recorded_balances = [{ token: USDC, amount: '50000000' }];
      await publishSenders('CLEAR');
      await asked('50');
    });

    it('needs no record of it once it is final', async () => {
      await stage.client.mine({ blocks: 1 });
      expect((await ask('50')).status).toBe(200);
    });
  });

  it('is 503 until an event tells the senders, and where older code wrote them last', async () => {
    const expectStatus = (expected: number) =>
      eventually(async () => expect((await ask()).status).toBe(expected));
    const { senders: _, ...untold } = payment.state;
    version += 1;
    await stage.publish('payment', 'payment.updated', payment.id, { ...untold, version });
    await expectStatus(503);
    await publishSenders('CLEAR');
    await expectStatus(200);
    const attempted = (at: string) =>
      stage.database.rows(`UPDATE projection_state SET attempted_at = ${at}`);
    await attempted(`now() + interval '1 hour'`);
    await stage.database.rows('UPDATE payments SET projected_version = NULL WHERE id = $1', [
      payment.id,
    ]);
    await expectStatus(503);
    // The topic has the whole state, so the projection is built again.
    await attempted(`now() - interval '1 hour'`);
    await expectStatus(200);
  });

  it.each<PaymentStatus>(['FAILED', 'COMPLETE'])(
    'refuses what sanctioned senders paid into a payment that is %s',
    async (status) => {
      const withdrawal = await asked();
      const before = await relayed();
      await publishSenders('TAINTED', status);
      for (const answer of [await ask(), await confirm(withdrawal)]) {
        expect([answer.status, answer.body.errors]).toEqual([403, [FROZEN]]);
      }
      expect(await relayed()).toBe(before);
    },
  );

  it('refuses a token without a price of sanctioned senders, and no other one', async () => {
    await stage.fund(WBTC, payment.wallet, 500n);
    const withdraw = (...amounts: [TokenIdentifier, string][]) =>
      stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
        payment_id: payment.id,
        token_amounts: amounts.map(([token, amount]) => ({ token, amount })),
        recipient_address: recipient,
      });
    const accountOf = async (token: TokenIdentifier) => {
      const { body } = await stage.call<BalancesResponse>('/payments/balances', {
        payment_id: payment.id,
      });
      return body.balance_results.find((it) => it.token === token)?.withdraw_account;
    };
    const { body: both } = await withdraw([USDC, '40'], [WBTC, '0.000005']);
    expect(await accountOf(WBTC)).toBe('SPW');
    await publishSenders('CLEAR', undefined, [WBTC]);
    for (const answer of [await withdraw([WBTC, '0.000005']), await confirm(both)]) {
      expect([answer.status, answer.body.errors]).toEqual([403, [TOKEN_FROZEN]]);
    }
    expect([await accountOf(WBTC), await accountOf(USDC)]).toEqual([undefined, 'SPW']);
    expect((await confirm(await asked())).body.status).toBe('SUCCESS');
    expect(await stage.balance(WBTC, payment.wallet)).toBe(500n);
  });

  it('submits nothing for a payment that is tainted during the confirm', async () => {
    const withdrawal = await asked();
    const before = await relayed();
    // The chain is read between the first check of the payment and the transaction.
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    stage.interceptNode(async ({ method }) => {
      if (method === 'eth_estimateGas') {
        reached.resolve(undefined);
        await released.promise;
      }
      return null;
    });
    const answer = confirm(withdrawal);
    await reached.promise;
    await publishSenders('TAINTED', 'TAINTED');
    released.resolve(undefined);
    const { status, body } = await answer;
    stage.interceptNode();
    expect([status, body.errors]).toEqual([403, [FROZEN]]);
    expect(await relayed()).toBe(before);
    expect(await stored()).toHaveLength(1);
  });

  /** Confirms while nodes refuse transactions, then uses the relayer's nonce elsewhere. */
  const dropSubmission = async (withdrawal: WithdrawResponse, meanwhile: () => unknown) => {
    stage.refuseTransactions(true);
    const signature = await signWithdrawal(withdrawal, owner);
    const { body } = await stage.call<WithdrawalStatusResponse>('/payments/withdraw/confirm', {
      ...{ state_token: withdrawal.state_token, signature, polling_timeout: 0 },
    });
    expect(body.status).toBe('PENDING');
    await meanwhile();
    await stage.useRelayerNonce();
    stage.refuseTransactions(false);
  };
  const expectFailed = (withdrawal: WithdrawResponse, failure: string) =>
    eventually(async () => {
      const rows = await stage.database.rows(
        'SELECT status, failure, submissions FROM withdrawals WHERE id = $1',
        [withdrawal.withdraw_id],
      );
      expect(rows).toEqual([{ status: 'FAILED', failure, submissions: 1 }]);
    });

  it('fails a withdrawal whose payment was tainted before it could be sent again', async () => {
    const withdrawal = await asked();
    await dropSubmission(withdrawal, () => publishSenders('CLEAR', 'TAINTED'));
    await expectFailed(withdrawal, 'the payment is frozen.');
    expect(await stage.balance(USDC, recipient)).toBe(0n);
  });

  it('fails one whose owner was sanctioned before it could be sent again, and publishes it', async () => {
    const withdrawal = await asked();
    await dropSubmission(withdrawal, () => file.list(owner.address));
    await expectFailed(withdrawal, 'the payment is frozen.');
    expect(await publishedHits()).toEqual([hitOf('owner')]);
    expect(await stage.balance(USDC, recipient)).toBe(0n);
  });

  it('fails one whose recipient was sanctioned before it could be sent again', async () => {
    const withdrawal = await asked();
    await dropSubmission(withdrawal, () => file.list(recipient));
    await expectFailed(withdrawal, 'the recipient is not allowed.');
    expect(await publishedHits()).toEqual([]);
    // The owner can take it elsewhere.
    recipient = anAddress();
    expect((await confirm(await asked())).body.status).toBe('SUCCESS');
  });

  it('records which addresses were screened for which withdrawal', async () => {
    const { withdraw_id } = await asked();
    const rows = await stage.database.rows<{ address: string }>(
      `SELECT address FROM screenings
       WHERE reference = $1 AND purpose = 'withdrawal' AND verdict = 'clear'`,
      [withdraw_id],
    );
    const parties = [owner.address, payment.declaration.destination, recipient];
    expect(new Set(rows.map(({ address }) => address))).toEqual(
      new Set(parties.map((address) => address.toLowerCase())),
    );
  });
});
