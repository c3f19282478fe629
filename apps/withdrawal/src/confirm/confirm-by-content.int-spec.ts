import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import { VISITOR_HEADER } from '@bascule/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deployAccountFactory } from '@bascule/testing';
import { DataSource } from 'typeorm';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { ORGANISATION, startStage, USDC, USDT } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

/** Reverts without a reason. */
const REFUSING = '0x60006000fd';
const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

describe('a confirm by content', () => {
  let stage: Stage;
  let payment: TestPayment;
  let recipient: string;
  beforeAll(async () => {
    stage = await startStage();
  }, 120_000);
  beforeEach(() => payBy(owner.address));
  afterAll(() => stage.stop());

  async function payBy(ownedBy: string): Promise<void> {
    payment = aPayment(ownedBy);
    recipient = anAddress();
    await stage.publish('payment', 'payment.updated', payment.id, payment.state);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
  }
  const content = () => ({
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: recipient,
  });
  const ask = async (visitor?: string) => {
    const headers: Record<string, string> =
      visitor === undefined ? {} : { [VISITOR_HEADER]: visitor };
    const caller = { kind: visitor === undefined ? 'secret' : 'publishable' } as const;
    const { status, body } = await stage.call<WithdrawResponse>(
      ...(['/payments/withdraw', content(), ORGANISATION, headers, { caller }] as const),
    );
    expect(status).toBe(200);
    return body;
  };
  const confirm = async (withdrawal: WithdrawResponse, change: object = {}, visitor?: string) => {
    const owner_signature = await signWithdrawal(withdrawal, owner);
    const body = { ...content(), ...change, owner_signature };
    const headers: Record<string, string> =
      visitor === undefined ? {} : { [VISITOR_HEADER]: visitor };
    const caller = { kind: visitor === undefined ? 'secret' : 'publishable' } as const;
    return stage.call<WithdrawalStatusResponse & ErrorBody>(
      ...(['/payments/withdraw/confirm', body, ORGANISATION, headers, { caller }] as const),
    );
  };
  /** Stores newer copies of a withdrawal, as strangers could request them over time. */
  const crowd = (
    withdrawal: WithdrawResponse,
    copies: number,
    change: Record<string, string>,
    prefix = 'ffffffff',
  ) =>
    stage
      .service()
      .app.get(DataSource)
      .query(
        `INSERT INTO withdrawals
         SELECT (jsonb_populate_record(stored, $3::jsonb || jsonb_build_object('id',
           $4::text || '-0000-7000-8000-' || right(md5(stored.id::text || copy), 12)))).*
         FROM withdrawals AS stored, generate_series(1, $2::int) AS copy WHERE stored.id = $1`,
        [
          ...[withdrawal.withdraw_id, copies],
          { submitted: false, transaction_hash: null, due_at: null, ...change },
          prefix,
        ],
      );

  it('finds the withdrawal among any number of newer ones of its payment', async () => {
    const withdrawal = await ask();
    await crowd(withdrawal, 60, { recipient_address: anAddress().toLowerCase() });
    const { status, body } = await confirm(withdrawal);
    expect([status, body.withdraw_id]).toEqual([200, withdrawal.withdraw_id]);
  });

  it.each([
    ['the same visitor', 'owner'],
    ['a secret key', undefined],
  ])('finds what %s requested among any number of strangers’ same content', async (_, visitor) => {
    const withdrawal = await ask(visitor);
    await crowd(withdrawal, 60, { visitor: 'stranger' });
    const { status, body } = await confirm(withdrawal, {}, visitor);
    expect([status, body.withdraw_id]).toEqual([200, withdrawal.withdraw_id]);
  });

  it('finds it by the signed text from any address', async () => {
    const withdrawal = await ask('owner');
    await crowd(withdrawal, 60, { visitor: 'stranger', nonce: '1' });
    const payload = withdrawal.withdraw_authorization;
    const { status, body } = await confirm(withdrawal, { payload }, 'elsewhere');
    expect([status, body.withdraw_id]).toEqual([200, withdrawal.withdraw_id]);
  });

  it('is 400 for an hour after it expired unsigned, and then 404', async () => {
    const withdrawal = await ask();
    const expire = (ago: string) =>
      stage
        .service()
        .app.get(DataSource)
        .query(
          `UPDATE withdrawals SET status = 'EXPIRED', expires_at = now() - $2::interval WHERE id = $1`,
          [withdrawal.withdraw_id, ago],
        );
    await expire('50 minutes');
    expect((await confirm(withdrawal)).status).toBe(400);
    await expire('61 minutes');
    expect((await confirm(withdrawal)).status).toBe(404);
  });

  it('is 409 once executed, among any number of newer ones that expired', async () => {
    const withdrawal = await ask();
    expect((await confirm(withdrawal)).status).toBe(200);
    await crowd(withdrawal, 60, { status: 'EXPIRED' });
    expect((await confirm(withdrawal)).status).toBe(409);
  });

  it('finds what the same visitor requested for an owner that is a contract', async () => {
    const factory = await deployAccountFactory(stage.rpcUrl);
    await factory.deploy(owner.address);
    await payBy(await factory.accountOf(owner.address));
    const withdrawal = await ask('owner');
    await crowd(withdrawal, 60, { visitor: 'stranger', nonce: '1' });
    const { status, body } = await confirm(withdrawal, {}, 'owner');
    expect([status, body.withdraw_id]).toEqual([200, withdrawal.withdraw_id]);
  });

  it('asks an owner’s contract about five of any number of the same content', async () => {
    const contract = anAddress();
    await stage.setCode(contract, REFUSING);
    await payBy(contract);
    const withdrawal = await ask();
    await crowd(withdrawal, 60, { status: 'EXPIRED' });
    await crowd(withdrawal, 30, { nonce: '1' }, 'eeeeeeee');
    const asked: string[] = [];
    stage.interceptNode(({ method }) => {
      asked.push(method);
      return null;
    });
    expect((await confirm(withdrawal)).status).toBe(401);
    stage.interceptNode();
    expect(asked).toEqual(Array.from({ length: 5 }, () => 'eth_call'));
  });

  it.each<[string, () => object]>([
    ['account', () => ({ withdraw_account: 'INTENT' })],
    ['recipient', () => ({ recipient_address: anAddress() })],
    ['amount', () => ({ token_amounts: [{ token: USDC, amount: '41' }] })],
    ['token', () => ({ token_amounts: [{ token: USDT, amount: '40' }] })],
    [
      'token beside it',
      () => ({
        token_amounts: [
          { token: USDC, amount: '40' },
          { token: USDT, amount: '1' },
        ],
      }),
    ],
  ])('is 404 with another %s', async (_, change) => {
    const withdrawal = await ask();
    const { status, body } = await confirm(withdrawal, change());
    expect([status, body.errors]).toEqual([
      404,
      [{ kind: 'other', message: 'No withdrawal to confirm was found.' }],
    ]);
    expect(
      (await confirm(withdrawal, { token_amounts: [{ token: USDC, amount: '40.00' }] })).status,
    ).toBe(200);
  });
});
