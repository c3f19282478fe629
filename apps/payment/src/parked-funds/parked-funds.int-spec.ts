import { tokenIdentifier } from '@bascule/contracts';
import type { ErrorBody, ParkedFundsResponse } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import type { RunningService } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { recordDeposit } from '../life-cycle/funding.js';
import { OwnerVerificationRepository } from '../owners/owner-verification.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit, OWNER } from '../testing/a-payment.fixture.js';
import { ORG_ID, USDC } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const WBTC = tokenIdentifier('alphanet', developmentAddresses.wbtc);
const ONE_USDC = 1_000_000n;
const anOwner = () => privateKeyToAddress(generatePrivateKey());

describe('parked funds of an owner', () => {
  let stack: PaymentStack;
  let service: RunningService;
  beforeAll(async () => {
    stack = await PaymentStack.start();
    service = await stack.startProcess();
  });
  afterAll(() => stack.stop());

  const confirm = (owner = anOwner()): Promise<PaymentRecord> =>
    stack.confirm(service, { input: USDC, output: USDC, amount: 100n * ONE_USDC, owner });
  const ask = (
    owner: string,
    { caller = {}, key }: { caller?: Partial<Caller>; key?: string | null } = {},
  ): Promise<ParkedFundsResponse> =>
    stack.post(
      service,
      '/payments/issues',
      { owner_address: owner, ...(key != null && { pagination_key: key }) },
      { orgId: ORG_ID, permissions: ['payments:read'], ...caller },
    );
  const idsOf = ({ issues }: ParkedFundsResponse) =>
    issues.map(({ withdraw_from: from }) => from && 'payment_id' in from && from.payment_id);
  const deposit = async (payment: PaymentRecord): Promise<void> => {
    await stack.send(USDC, payment.walletAddress, ONE_USDC);
    await stack.expectToBecome(payment, { funded: true });
  };

  it('are those of its organisation, and for secret keys those of linked addresses', async () => {
    const [owner, linked, stranger] = [anOwner(), anOwner(), anOwner()];
    const payments = [await confirm(owner), await confirm(linked), await confirm(stranger)];
    for (const payment of payments) await deposit(payment);
    const [own, other] = payments.map(({ id }) => id);
    const links = service.app.get(OwnerVerificationRepository);
    const remember = (address: string, orgId: string, customerId: string) =>
      links.remember({ address, chains: null, customer: { orgId, customerId } });
    await remember(owner, ORG_ID, 'customer-7');
    await remember(linked, ORG_ID, 'customer-7');
    await remember(stranger, ORG_ID, 'customer-8');
    await remember(stranger, 'another', 'customer-7');

    await eventually(async () => {
      expect(idsOf(await ask(owner))).toEqual([other, own]);
    });
    expect(idsOf(await ask(linked))).toEqual([other, own]);
    expect(idsOf(await ask(owner, { caller: { kind: 'publishable' } }))).toEqual([own]);
    const elsewhere = { orgId: '0190b2c3-0000-7000-8000-0000000000ff' };
    expect(idsOf(await ask(owner, { caller: elsewhere }))).toEqual([]);
  });

  it('come first, however many payments without money others confirm for the owner', async () => {
    const owner = anOwner();
    const oldest = await confirm(owner);
    await deposit(oldest);
    // Money of the last minute is also on a later page.
    await stack.sql(
      `UPDATE payments SET updated_at = updated_at - interval '1 hour' WHERE id = $1`,
      [oldest.id],
    );
    for (let count = 0; count < 100; count++) await confirm(owner);

    const first = await eventually(async () => {
      const page = await ask(owner);
      expect(page).toMatchObject({ unread_chains: [] });
      expect(idsOf(page)).toEqual([oldest.id]);
      return page;
    });
    expect(first.next_pagination_key).not.toBeNull();
    const second = await ask(owner, { key: first.next_pagination_key });
    expect([second.issues, second.next_pagination_key]).toEqual([[], null]);

    // Wallets without money were read once.
    const again = await ask(owner);
    expect([idsOf(again), again.next_pagination_key]).toEqual([[oldest.id], null]);
  });

  it('include a token that was listed after its transfer, once the wallet is read again', async () => {
    const payment = await confirm();
    const hash = await stack.send(WBTC, payment.walletAddress, 5_000n);
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await eventually(async () => {
      const scanned = await stack.sql(
        `SELECT 1 FROM chain_cursors WHERE confirmed_block_number >= $1`,
        [blockNumber.toString()],
      );
      expect(scanned).toHaveLength(1);
    });
    const emptied = () =>
      stack.sql<{ version: number }>(`SELECT version FROM empty_wallets WHERE payment_id = $1`, [
        payment.id,
      ]);
    await eventually(async () => {
      expect((await ask(payment.ownerAddress)).issues).toEqual([]);
      expect(await emptied()).toEqual([{ version: 1 }]);
    });
    await stack.sql(
      `INSERT INTO assets (id, version, chain, decimals, asset, listed)
       VALUES ($1, 1, 'alphanet', 8, '{}', true)`,
      [WBTC],
    );
    expect((await ask(payment.ownerAddress)).issues).toEqual([]);
    await stack.sql(`UPDATE empty_wallets SET read_at = now() - interval '2 days'`);
    expect((await ask(payment.ownerAddress)).issues).toMatchObject([
      { token: WBTC, balance: { '#': '5000' }, classification: 'MISSENT', severity: 'HIGH' },
    ]);
    await stack.sql(`DELETE FROM assets WHERE id = $1`, [WBTC]);
  });

  it('are read again when money arrives in a wallet that was empty', async () => {
    const payment = await confirm();
    await eventually(async () => {
      await ask(payment.ownerAddress);
      expect(
        await stack.sql(`SELECT 1 FROM empty_wallets WHERE payment_id = $1`, [payment.id]),
      ).toHaveLength(1);
    });
    await deposit(payment);
    await eventually(async () => {
      expect(idsOf(await ask(payment.ownerAddress))).toEqual([payment.id]);
    });
  });
});

describe('POST /payments/issues without chains', () => {
  let client: PaymentServiceClient;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
  });
  afterAll(() => client.stop());

  const post = <Body>(body: unknown, caller: Partial<Caller> = {}) =>
    client.request<Body>('/payments/issues', { method: 'POST', body, caller });

  it('reports the recorded deposits, and names the chains that could not be read', async () => {
    const { payment_id } = await client.confirmed();
    const payments = client.service.app.get(PaymentStoreRepository);
    await payments.changeNow(payment_id, (payment) =>
      recordDeposit(payment, aDeposit({ amount: ONE_USDC, blockTimestamp: new Date() })),
    );
    const expected = {
      issues: [{ classification: 'UNDERFUNDED', balance: { '#': '1000000' } }],
      next_pagination_key: null,
      unread_chains: ['alphanet'],
    };
    const unscanned = await post({ owner_address: OWNER });
    expect(unscanned).toMatchObject({ status: 200, body: expected });
    await client.admin.query(
      `INSERT INTO chain_cursors VALUES ('alphanet', 12, '0x', now(), 12, now(), 0)`,
    );
    const unreadable = await post({ owner_address: OWNER });
    expect(unreadable).toMatchObject({ status: 200, body: expected });
    expect(await client.admin.query('SELECT * FROM empty_wallets')).toEqual([]);
  });

  it('answers an owner without payments', async () => {
    const owner_address = anOwner();
    expect((await post({ owner_address })).body).toEqual({
      issues: [],
      next_pagination_key: null,
      unread_chains: [],
    });
  });

  it('refuses malformed fields, and keys without the permission', async () => {
    const id = uuidv7();
    const { payment_id } = await client.confirmed();
    for (const [body, path] of [
      [{}, 'owner_address'],
      [{ owner_address: '0x12' }, 'owner_address'],
      [{ owner_address: OWNER, pagination_key: id }, 'pagination_key'],
      [{ owner_address: OWNER, pagination_key: `${id}_yesterday` }, 'pagination_key'],
      // No payment of the organisation, and none of the owner.
      [
        { owner_address: OWNER, pagination_key: `${id}_2026-11-24T12:00:00.000Z` },
        'pagination_key',
      ],
      [
        { owner_address: anOwner(), pagination_key: `${payment_id}_2026-11-24T12:00:00.000Z` },
        'pagination_key',
      ],
    ]) {
      const { status, body: answer } = await post<ErrorBody>(body);
      expect([status, answer.errors]).toMatchObject([400, [{ path: [path] }]]);
    }
    const refused = await post({ owner_address: OWNER }, { permissions: ['payments:write'] });
    expect(refused.status).toBe(403);
  });
});
