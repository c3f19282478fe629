import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BalancesResponse,
  ErrorBody,
  PaymentStatus,
  SendersState,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { SealedTokens } from '@bascule/sealed-tokens';
import { eventually } from '@bascule/testing';
import { withdrawalGas } from '@bascule/wallet-balances';
import { v7 as uuidv7 } from 'uuid';
import { DataSource } from 'typeorm';
import { getAddress, parseUnits } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import {
  ETHER,
  FEE_RECEIVER,
  ORGANISATION,
  RELAYER,
  USDC,
  USDT,
  startStage,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-00000000000f';
/** Accepts every signature. */
const TRUSTING_OWNER = '0x631626ba7e60e01b60005260206000f3';
const UNITS = { [USDC]: 6, [USDT]: 6, [ETHER]: 18 };

let stage: Stage;
const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterAll(() => stage.stop());

async function aFundedPayment(
  token: typeof USDC = USDC,
  amount = 40_000_000n,
  change: Parameters<typeof aPayment>[1] & { owner?: string } = {},
): Promise<TestPayment> {
  const payment = aPayment(change.owner ?? owner.address, change);
  await stage.publish('payment', 'payment.updated', payment.id, payment.state);
  await stage.fund(token, payment.wallet, amount);
  return payment;
}

const ask = (payment: TestPayment, amount: string, recipient: string, token = USDC) =>
  stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token, amount }],
    recipient_address: recipient,
    withdraw_account: 'SPW',
  });

/** As any wallet would: from the JSON alone. */
const sign = (answer: WithdrawResponse, account = owner): Promise<Hex> => {
  const { domain, types, primaryType, message } = JSON.parse(
    answer.withdraw_authorization,
  ) as Parameters<typeof owner.signTypedData>[0];
  const { EIP712Domain: _, ...own } = types as Record<string, never>;
  return account.signTypedData({ domain, types: own, primaryType, message });
};

const confirm = (
  answer: WithdrawResponse,
  signature: Hex,
  polling_timeout = 30_000,
  headers: Record<string, string> = {},
) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>(
    '/payments/withdraw/confirm',
    { state_token: answer.state_token, signature, polling_timeout },
    ORGANISATION,
    headers,
  );

const statusOf = (id: string, org?: string) =>
  stage.call<WithdrawalStatusResponse>(
    `/payments/withdraw/status?withdraw_id=${id}`,
    undefined,
    org,
  );

async function balanceOf(payment: TestPayment, token = USDC) {
  const { body } = await stage.call<BalancesResponse>('/payments/balances', {
    payment_id: payment.id,
  });
  const found = body.balance_results.find((result) => result.token === token);
  if (found?.value.kind !== 'amount') throw new Error(`no balance of ${token}`);
  return found.value;
}

const relayedTransactions = () => stage.client.getTransactionCount({ address: RELAYER });

describe('a withdrawal', () => {
  it.each([
    ['a token', USDC, 40_000_000n],
    ['a token that returns nothing', USDT, 40_000_000n],
    ['the native currency', ETHER, 10n ** 17n],
  ] as const)(
    'pays the amount of %s less the fee to the recipient',
    async (_what, token, amount) => {
      const payment = await aFundedPayment(token, amount);
      for (const isDeployed of [false, true]) {
        if (isDeployed) await stage.fund(token, payment.wallet, amount);
        const recipient = anAddress();
        const collected = await stage.balance(token, FEE_RECEIVER);
        const value = await balanceOf(payment, token);
        const { body: answer } = await ask(payment, value.amount, recipient, token);
        const { status, body } = await confirm(answer, await sign(answer));
        expect([status, body.status]).toEqual([200, 'SUCCESS']);
        const fee = (await stage.balance(token, FEE_RECEIVER)) - collected;
        expect(fee).toBeGreaterThan(0n);
        expect(await stage.balance(token, recipient)).toBe(amount - fee);
        expect(await stage.balance(token, payment.wallet)).toBe(0n);
        // The base fee moves a little between the two answers.
        const quoted = parseUnits(value.withdrawal_fee, UNITS[token] ?? 0);
        expect(Math.abs(Number(fee) / Number(quoted) - 1)).toBeLessThan(0.3);
        const { gasUsed } = await stage.client.getTransactionReceipt({
          hash: body.transaction_hash as Hex,
        });
        const measured = withdrawalGas({ isNative: token === ETHER, isDeployed });
        expect(Number(gasUsed) / Number(measured)).toBeGreaterThan(0.9);
        expect(Number(gasUsed)).toBeLessThanOrEqual(Number(measured));
      }
    },
  );

  it('is executed once, however often it is confirmed concurrently', async () => {
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '20', anAddress());
    const signature = await sign(answer);
    const before = await relayedTransactions();
    const confirmed = await Promise.all([1, 2, 3].map(() => confirm(answer, signature)));
    expect(confirmed.map(({ body }) => body.status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect((await confirm(answer, signature)).status).toBe(409);
    expect((await relayedTransactions()) - before).toBe(1);
    expect(await stage.balance(USDC, payment.wallet)).toBe(20_000_000n);
  });

  it('is tracked from its request on, before its owner signs', async () => {
    const { body: answer } = await ask(await aFundedPayment(), '40', anAddress());
    const { status, body } = await statusOf(answer.withdraw_id);
    const { withdraw_id, payment_id } = answer;
    expect([status, body]).toEqual([
      200,
      { withdraw_id, payment_id, status: 'PENDING', transaction_hash: null },
    ]);
  });

  it('is PENDING for a client that does not wait, and SUCCESS in its later status', async () => {
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '40', anAddress());
    expect((await statusOf(answer.withdraw_id)).body.status).toBe('PENDING');
    const { body } = await confirm(answer, await sign(answer), 0);
    expect(body).toMatchObject({ status: 'PENDING', transaction_hash: null });
    await eventually(async () => {
      const { body: status } = await statusOf(answer.withdraw_id);
      expect(status).toMatchObject({ status: 'SUCCESS', payment_id: payment.id });
      expect(status.transaction_hash).toMatch(/^0x[0-9a-f]{64}$/);
    });
  });

  it('can be confirmed by its content, as older clients do', async () => {
    const payment = await aFundedPayment();
    const recipient = anAddress();
    await ask(payment, '40', recipient);
    const { body: answer } = await ask(payment, '40', recipient);
    await ask(payment, '40', recipient);
    const { status, body } = await stage.call<WithdrawalStatusResponse>(
      '/payments/withdraw/confirm',
      {
        payment_id: payment.id,
        token_amounts: [{ token: USDC, amount: '40.0' }],
        recipient_address: recipient,
        owner_signature: await sign(answer),
      },
    );
    expect([status, body.status]).toEqual([200, 'SUCCESS']);
    expect(body.withdraw_id).toBe(answer.withdraw_id);
  });

  it('succeeds when a third party submits it', async () => {
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '40', anAddress());
    const signature = await sign(answer);
    const hash = await stage.submitDirectly(payment, answer.withdraw_authorization, signature);
    await eventually(async () => {
      const { body } = await statusOf(answer.withdraw_id);
      expect(body).toMatchObject({ status: 'SUCCESS', transaction_hash: hash });
    });
    expect((await confirm(answer, signature)).status).toBe(409);
  });

  it('is accepted from an owner that is a contract', async () => {
    const contract = anAddress();
    await stage.setCode(contract, TRUSTING_OWNER);
    const payment = await aFundedPayment(USDC, 40_000_000n, { owner: contract });
    const { body: answer } = await ask(payment, '40', anAddress());
    expect((await confirm(answer, '0x1234')).body.status).toBe('SUCCESS');
  });

  it('charges no fee that would leave a retry underfunded', async () => {
    const failed = await aFundedPayment(USDC, 100_000_000n, { status: 'FAILED' });
    const retry = aPayment(owner.address, { parent: failed.id, status: 'PENDING' });
    await stage.publish('payment', 'payment.confirmed', retry.id, retry.state);
    await eventually(async () => expect(await balanceOf(retry)).toBeDefined());
    const { body: answer } = await ask(failed, '100', retry.wallet);
    expect((await confirm(answer, await sign(answer))).body.status).toBe('SUCCESS');
    expect(await stage.balance(USDC, retry.wallet)).toBe(100_000_000n);
  });
});

describe('the text that the owner of a withdrawal signs', () => {
  const FIELDS = {
    Call: ['address target', 'bytes data', 'uint256 value'],
    authorization: [
      'string description',
      'Call[] actions',
      'uint256 nonce',
      'bytes32 signatory_declaration_hash',
      'uint256 chain_id',
      'bool accept_blame',
    ],
  };

  it('is typed data of the specified structure, from the wallet by default', async () => {
    const payment = await aFundedPayment();
    const answer = await stage.call<WithdrawResponse>('/payments/withdraw', {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '40' }],
      recipient_address: anAddress(),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { type: 'eip712', signature_type: 'EIP712', payment_id: payment.id },
    });
    const { domain, types, primaryType, message } = JSON.parse(
      answer.body.withdraw_authorization,
    ) as {
      domain: object;
      types: Record<string, { name: string; type: string }[]>;
      primaryType: string;
      message: object;
    };
    const fieldsOf = (type: string) => types[type]?.map((field) => `${field.type} ${field.name}`);
    expect(Object.keys(domain)).toEqual(['name', 'version']);
    expect(fieldsOf('EIP712Domain')).toEqual(['string name', 'string version']);
    expect(fieldsOf('Call')).toEqual(FIELDS.Call);
    expect(fieldsOf(primaryType)).toEqual(FIELDS.authorization);
    expect(Object.keys(types).sort()).toEqual(['Call', 'EIP712Domain', primaryType].sort());
    // The payout and the fee.
    expect(message).toMatchObject({
      chain_id: '31337',
      actions: [{ value: '0' }, { value: '0' }],
    });
    const { status, body } = await confirm(answer.body, await sign(answer.body));
    expect([status, body.status]).toEqual([200, 'SUCCESS']);
  });

  it('dies with its nonce, 30 minutes after the request', async () => {
    const payment = await aFundedPayment();
    const seconds = async () => {
      const { timestamp } = await stage.client.getBlock();
      return Math.max(Number(timestamp), Math.floor(Date.now() / 1_000));
    };
    const before = await seconds();
    const { body: answer } = await ask(payment, '40', anAddress());
    const after = await seconds();
    const { message } = JSON.parse(answer.withdraw_authorization) as { message: { nonce: string } };
    const requestedAt = Number(BigInt(message.nonce) >> 192n) - 30 * 60;
    expect(requestedAt).toBeGreaterThanOrEqual(before);
    expect(requestedAt).toBeLessThanOrEqual(after);
  });
});

describe('the metrics of withdrawals', () => {
  const scrape = async () => {
    const response = await fetch(`${stage.service().operationsUrl}/metrics`);
    return { status: response.status, text: await response.text() };
  };
  const valueOf = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    );

  it('count open and ended withdrawals, and report the age of the oldest', async () => {
    const payment = await aFundedPayment();
    const before = await scrape();
    const { body: answer } = await ask(payment, '10', anAddress());
    const requested = 'withdrawals_open{state="requested"}';
    const known = valueOf(before.text, requested) || 0;
    expect(valueOf((await scrape()).text, requested)).toBe(known + 1);
    stage.refuseTransactions(true);
    await confirm(answer, await sign(answer), 0);
    await eventually(async () => {
      const { text } = await scrape();
      expect(valueOf(text, 'withdrawals_open{state="submitted"}')).toBe(1);
      expect(valueOf(text, 'withdrawals_oldest_submitted_seconds')).toBeGreaterThan(0.2);
    });
    stage.refuseTransactions(false);
    await eventually(async () => {
      const { text } = await scrape();
      expect(valueOf(text, 'withdrawals_oldest_submitted_seconds')).toBe(0);
      expect(valueOf(text, 'withdrawals_status_changes_total{status="SUCCESS"}')).toBeGreaterThan(
        0,
      );
    });
  });

  it('are served while the database is unavailable', async () => {
    const dataSource = stage.service().app.get(DataSource);
    await dataSource.query('ALTER TABLE withdrawals RENAME TO withdrawals_away');
    const { status, text } = await scrape();
    await dataSource.query('ALTER TABLE withdrawals_away RENAME TO withdrawals');
    expect(status).toBe(200);
    expect(text).not.toContain('withdrawals_open{');
    expect(valueOf(text, 'withdrawals_oldest_submitted_seconds')).toBeNaN();
  });
});

describe('the trace of a withdrawal', () => {
  it('is the confirming request’s trace in its row, transaction and events', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '10', anAddress());
    const { status } = await confirm(answer, await sign(answer), 30_000, { traceparent });
    expect(status).toBe(200);
    const [row]: { own: string; transaction: string }[] = await stage
      .service()
      .app.get(DataSource)
      .query(
        `SELECT w.traceparent AS own, t.traceparent AS transaction FROM withdrawals w
         JOIN chain_transactions t ON t.reference LIKE '%' || w.id || '%' WHERE w.id = $1`,
        [answer.withdraw_id],
      );
    expect(row).toEqual({ own: traceparent, transaction: traceparent });
    const found = async (): Promise<{ type: string; traceparent: string }[]> =>
      stage
        .service()
        .app.get(DataSource)
        .query(
          `SELECT e->>'type' AS type, headers->>'traceparent' AS traceparent
         FROM event_log.records, LATERAL (SELECT convert_from(value, 'UTF8')::json AS e) AS envelope
         WHERE topic = 'bascule.withdrawal' AND key = $1
           AND e->>'type' <> 'withdrawal.broadcast' ORDER BY "offset"`,
          [answer.withdraw_id],
        );
    await eventually(async () => {
      expect((await found()).slice(1)).toEqual([
        { type: 'withdrawal.submitted', traceparent },
        { type: 'withdrawal.succeeded', traceparent },
      ]);
    });
  });
});

describe('a withdrawal is refused', () => {
  it('with 401 when the owner did not sign it, and can be signed again', async () => {
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '40', anAddress());
    const stranger = privateKeyToAccount(generatePrivateKey());
    expect((await confirm(answer, await sign(answer, stranger))).status).toBe(401);
    expect((await confirm(answer, '0x')).status).toBe(401);
    expect((await confirm(answer, await sign(answer))).body.status).toBe('SUCCESS');
  });

  it('with 400 for an altered or expired state token and one of another kind, and with 403 for another organisation’s', async () => {
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '40', anAddress());
    const signature = await sign(answer);
    const { state_token: token, withdraw_id: withdrawId } = answer;
    const middle = Math.floor(token.length / 2);
    const flipped = token[middle] === 'A' ? 'B' : 'A';
    const content = { withdrawId, orgId: ORGANISATION };
    const sealed = stage.service().app.get(SealedTokens);
    const [soon, past] = [new Date(Date.now() + 60_000), new Date(Date.now() - 1)];
    const refused = {
      altered: token.slice(0, middle) + flipped + token.slice(middle + 1),
      expired: await sealed.seal('withdrawal', content, past),
      'of a quote': await sealed.seal('quote', content, soon),
      'of a verification': await sealed.seal('verification', content, soon),
    };
    for (const [what, state_token] of Object.entries(refused)) {
      const { status, body } = await confirm({ ...answer, state_token }, signature);
      expect([what, status, body.errors]).toMatchObject([what, 400, [{ path: ['state_token'] }]]);
    }
    const foreign = await sealed.seal(
      'withdrawal',
      { withdrawId, orgId: OTHER_ORGANISATION },
      soon,
    );
    const { status, body } = await confirm({ ...answer, state_token: foreign }, signature);
    expect([status, body.errors]).toMatchObject([403, [{ kind: 'other' }]]);
    expect((await statusOf(withdrawId)).body.status).toBe('PENDING');
    // It is the token that is refused each time.
    expect((await confirm(answer, signature)).body.status).toBe('SUCCESS');
  });

  it('with 403 for another organisation, 404 for an unknown payment, and 403 when it is tainted', async () => {
    const payment = await aFundedPayment();
    const { body: answer } = await ask(payment, '40', anAddress());
    const query = { payment_id: payment.id };
    const foreign = [
      await stage.call('/payments/balances', query, OTHER_ORGANISATION),
      await stage.call(
        '/payments/withdraw/confirm',
        { state_token: answer.state_token, signature: await sign(answer) },
        OTHER_ORGANISATION,
      ),
      await statusOf(answer.withdraw_id, OTHER_ORGANISATION),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([403, 403, 403]);
    const unknown = '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718';
    expect((await stage.call('/payments/balances', { payment_id: unknown })).status).toBe(404);
    expect((await statusOf(unknown)).status).toBe(404);
    const tainted = await aFundedPayment(USDC, 1_000_000n, { status: 'TAINTED' });
    expect((await ask(tainted, '1', anAddress())).status).toBe(403);
  });

  it.each([
    ['more than the wallet holds', { amount: '40.000001' }, 'TOO_HIGH'],
    ['less than its fee', { amount: '0.000001' }, 'TOO_LOW'],
  ])('with 400 for %s', async (_what, { amount }, reason) => {
    const payment = await aFundedPayment();
    const answer = await ask(payment, amount, anAddress());
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ kind: 'amount', reason }] } });
  });

  it.each([-1, 300_001, 1.5, '1000'])(
    'with 400 for %j as polling_timeout, which is 0 to 300,000 milliseconds',
    async (polling_timeout) => {
      const body = { state_token: 'any', signature: '0x12', polling_timeout };
      const answer = await stage.call<ErrorBody>('/payments/withdraw/confirm', body);
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['polling_timeout'] }] },
      });
    },
  );

  it('with 400 for recipients that would lose the money, and for malformed requests', async () => {
    const payment = await aFundedPayment();
    const usdc = USDC.split(':')[1] ?? '';
    for (const recipient of [payment.wallet, payment.declaration.factory, usdc]) {
      const answer = await ask(payment, '1', recipient);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ kind: 'destination' }] } });
    }
    const nonsense = await stage.call<ErrorBody>('/payments/withdraw', { payment_id: 7 });
    expect(nonsense.status).toBe(400);
    expect(nonsense.body.errors.length).toBeGreaterThan(2);
    const signature = '0x12';
    const altered = { state_token: 'altered', signature };
    expect((await stage.call('/payments/withdraw/confirm', altered)).status).toBe(400);
    expect((await stage.call('/payments/withdraw/confirm', { signature })).status).toBe(400);
    expect(await statusOf('nonsense')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_format', path: ['withdraw_id'] }] },
    });
  });
});

describe('balances', () => {
  it('list the wallet’s tokens, the deposit token, and one error per unavailable chain', async () => {
    const payment = await aFundedPayment(USDT, 7_000_000n);
    const { body } = await stage.call<BalancesResponse>('/payments/balances', {
      payment_id: payment.id,
    });
    const summary = body.balance_results.map(({ token, value }) => [
      token,
      value.kind === 'amount' ? value.amount : value.kind,
    ]);
    expect(Object.fromEntries(summary)).toEqual({
      [USDC]: '0',
      [USDT]: '7',
      'betanet:0x': 'error',
    });
    expect(body.balance_results[0]).toMatchObject({
      address: getAddress(payment.wallet),
      withdraw_account: 'SPW',
      account: 'spw',
    });
    expect(body.future_withdrawable_balances).toEqual([]);
  });

  it('list the deposit token and tokens with recorded money, also when they were delisted', async () => {
    const payment = await aFundedPayment(USDC, 7_000_000n);
    await stage.fund(USDT, payment.wallet, 3_000_000n);
    const delisted = [USDC, USDT];
    const list = (isListed: boolean) =>
      stage.database.rows('UPDATE assets SET listed = $2 WHERE id = ANY($1)', [delisted, isListed]);
    const listed = async () => {
      const { body } = await stage.call<BalancesResponse>('/payments/balances', {
        payment_id: payment.id,
      });
      return body.balance_results.filter(({ value }) => value.kind === 'amount');
    };
    await list(false);
    try {
      expect((await listed()).map(({ token }) => token)).toEqual([USDC]);
      const state = { ...payment.state, version: 2, held_tokens: delisted };
      await stage.publish('payment', 'payment.updated', payment.id, state);
      await eventually(async () => {
        const found = await listed();
        expect(found.map(({ token }) => token).sort()).toEqual(delisted.sort());
      });
      expect((await balanceOf(payment, USDT)).amount).toBe('3');
    } finally {
      await list(true);
    }
  });

  it('answer custom queries without a payment', async () => {
    const { body } = await stage.call<BalancesResponse>('/payments/balances', {
      custom_queries: [{ address: RELAYER, token: ETHER }],
    });
    expect(body.balance_results).toMatchObject([{ token: ETHER, value: { kind: 'amount' } }]);
    const wrong = { custom_queries: [{ address: '0x12', token: 'alphanet:0x' }] };
    expect((await stage.call('/payments/balances', wrong)).status).toBe(400);
    expect((await stage.call('/payments/balances', {})).status).toBe(400);
  });

  it('know the wallet of a payment that was confirmed just now', async () => {
    const payment = aPayment(owner.address);
    await stage.publish('payment', 'payment.confirmed', payment.id, payment.state);
    const { body } = await stage.call<BalancesResponse>('/payments/balances', {
      payment_id: payment.id,
      custom_queries: [{ address: payment.wallet, token: USDT }],
    });
    expect(body.balance_results.at(-1)).toMatchObject({ token: USDT, withdraw_account: 'SPW' });
  });

  it('name an account only for wallets of the organisation, and not of a frozen payment', async () => {
    const payment = await aFundedPayment(USDT, 7_000_000n);
    const answer = (wallet: string, orgId?: string) =>
      stage.call<BalancesResponse>(
        '/payments/balances',
        { custom_queries: [{ address: wallet, token: USDT }] },
        orgId,
      );
    const accounts = async (wallet: string, orgId?: string) => {
      const { body } = await answer(wallet, orgId);
      return body.balance_results.map(({ address, withdraw_account, account }) => [
        ...[address, withdraw_account, account],
      ]);
    };
    const wallet = getAddress(payment.wallet);
    await eventually(async () => {
      expect(await accounts(wallet.toLowerCase())).toEqual([[wallet, 'SPW', 'spw']]);
    });
    const stranger = [[wallet, undefined, undefined]];
    expect(await accounts(wallet, OTHER_ORGANISATION)).toEqual(stranger);
    const relayer = getAddress(RELAYER);
    expect(await accounts(RELAYER)).toEqual([[relayer, undefined, undefined]]);
    const { state } = payment;
    const publish = async (version: number, status: PaymentStatus, senders: SendersState) => {
      const changed = { ...state, version, senders, payment: { ...state.payment, status } };
      await stage.publish('payment', 'payment.updated', payment.id, changed);
    };
    await publish(state.version + 1, 'COMPLETE', 'TAINTED');
    await eventually(async () => {
      expect(await accounts(wallet)).toEqual(stranger);
    });
    await publish(state.version + 2, 'FAILED', 'CLEAR');
    await eventually(async () => {
      expect(await accounts(wallet)).toEqual([[wallet, 'SPW', 'spw']]);
    });
    await publish(state.version + 3, 'TAINTED', 'CLEAR');
    await eventually(async () => {
      expect(await accounts(wallet)).toEqual(stranger);
    });
    const { body } = await stage.call<BalancesResponse>('/payments/balances', {
      payment_id: payment.id,
    });
    expect(body.balance_results.map(({ withdraw_account }) => withdraw_account)).not.toContain(
      'SPW',
    );
  });

  it('wait for the event of a payment that was just confirmed', async () => {
    const payment = aPayment(owner.address);
    const answer = stage.call('/payments/balances', { payment_id: payment.id });
    await stage.publish('payment', 'payment.confirmed', payment.id, payment.state);
    expect((await answer).status).toBe(200);
    expect((await stage.call('/payments/balances', { payment_id: uuidv7() })).status).toBe(404);
  });
});
