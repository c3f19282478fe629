import { Chains } from '@bascule/chain';
import type {
  PaymentState,
  SanctionedParty,
  StoredPaymentStatus,
  WithdrawalState,
} from '@bascule/contracts';
import { TOPICS } from '@bascule/contracts';
import { createEnvelope, TRANSPORT } from '@bascule/messaging';
import type { Transport } from '@bascule/messaging';
import { withdrawalNonce } from '@bascule/solidity';
import { developmentAccounts } from '@bascule/local-stack';
import { eventually, startTestChain } from '@bascule/testing';
import type { TestChain } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createWalletClient, erc20Abi, http, publicActions } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { recordDeposit } from '../life-cycle/funding.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit, HASH, OWNER } from '../testing/a-payment.fixture.js';
import { ORG_ID, USDC } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { DustService } from '../costs/dust.service.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { SharedBalancesClient } from './shared-balances.client.js';
import { MinedWithdrawalRecorderService } from './mined-withdrawal-recorder.service.js';

const WITHDRAW_PENDING = '&enable_withdraw_pending=true';

describe('withdrawals of a payment', () => {
  let chain: TestChain;
  let client: PaymentServiceClient;
  beforeAll(async () => {
    chain = await startTestChain();
    client = await PaymentServiceClient.start({ RPC_URLS_ALPHANET: chain.rpcUrl });
  });
  afterEach(() => client.admin.query('DELETE FROM prices'));
  afterAll(async () => {
    await client.stop();
    await chain.stop();
  });

  const funded = async () => {
    const payment = await client.confirmed();
    const deposit = aDeposit({ amount: 60_000_000n, blockNumber: 1n, blockTimestamp: new Date() });
    await client.service.app
      .get(PaymentStoreRepository)
      .changeNow(payment.payment_id, (record) => recordDeposit(record, deposit));
    return payment;
  };
  const aState = (paymentId: string, overrides: Partial<WithdrawalState> = {}): WithdrawalState => {
    const withdrawId = overrides.withdraw_id ?? uuidv7();
    return {
      version: 1,
      withdraw_id: withdrawId,
      payment_id: paymentId,
      org_id: ORG_ID,
      chain: 'alphanet',
      wallet_address: '',
      withdraw_account: 'SPW',
      token_amounts: [{ token: USDC, amount: '60' }],
      recipient_address: OWNER,
      accept_blame: true,
      nonce: withdrawalNonce(withdrawId, 2_000_000_000n).toString(),
      submitted: true,
      status: 'PENDING',
      transaction_hash: null,
      failure: null,
      expires_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
      ...overrides,
    };
  };
  const tell = (data: WithdrawalState) => publish('withdrawal.submitted', data.withdraw_id, data);
  const publish = async (type: string, key: string, data: object) => {
    const origin = { source: 'withdrawal', environment: 'development' };
    const event = { topic: TOPICS.withdrawal, type, key, data };
    const value = Buffer.from(JSON.stringify(createEnvelope(event, origin)));
    await client.service.app
      .get<Transport>(TRANSPORT)
      .publish([{ topic: TOPICS.withdrawal.name, key, headers: {}, value }]);
  };
  /** A hit of the withdrawal service; records of one key are handled in order. */
  const tellHit = async (payment_id: string, party: SanctionedParty['party'], key = payment_id) => {
    const data: SanctionedParty = { payment_id, org_id: ORG_ID, party };
    await publish('withdrawal.party_sanctioned', key, data);
  };
  const mine = async (paymentId: string, wallet: Address, nonce: bigint, acceptBlame = true) => {
    const recorder = client.service.app.get(MinedWithdrawalRecorderService);
    const alphanet = client.service.app.get(Chains).get('alphanet');
    const { number, timestamp } = await alphanet.anyNode.client.getBlock();
    const log = {
      paymentId,
      chain: 'alphanet',
      wallet,
      nonce,
      acceptBlame,
      transactionHash: HASH,
      blockNumber: number,
      blockTimestamp: new Date(Number(timestamp) * 1_000),
    };
    const directory = client.service.app.get(AssetDirectoryRepository);
    const tokens = await directory.possibleOn('alphanet', paymentId);
    const { multicall3 } = alphanet.definition.contracts;
    const balances = new SharedBalancesClient(multicall3, [{ wallet, tokens }]);
    const policyOn = await client.service.app.get(DustService).policyOn(['alphanet']);
    const about = { policyOn, tokens, balances, isLastResort: false };
    const observed = await recorder.observe(log, alphanet, about);
    await client.service.app
      .get(DataSource)
      .transaction((manager) => recorder.record(manager, observed.paymentId, [observed]));
  };
  const walletOf = (payment: { processing_addresses: { address: string }[] }) =>
    payment.processing_addresses[0]?.address as Address;

  it('show as pending once submitted, on request', async () => {
    const { payment_id } = await funded();
    await tell(aState(payment_id));
    await eventually(async () => {
      expect((await client.status(payment_id, WITHDRAW_PENDING)).status).toBe('WITHDRAW_PENDING');
    });
    expect(await client.status(payment_id)).toMatchObject({
      status: 'PENDING',
      withdrawals: [
        {
          status: 'PENDING',
          token_amounts: [{ token: USDC, amount: '60' }],
          recipient_address: OWNER,
          transaction_hash: null,
          issues: [],
        },
      ],
    });
  });

  describe('reporting a sanctioned party', () => {
    const withStatus = async (status: StoredPaymentStatus): Promise<string> => {
      const { payment_id } = await client.confirmed();
      await client.database.rows('UPDATE payments SET status = $2 WHERE id = $1', [
        payment_id,
        status,
      ]);
      return payment_id;
    };
    const becomesTainted = (paymentId: string) =>
      eventually(async () => expect((await client.status(paymentId)).status).toBe('TAINTED'));

    it.each<StoredPaymentStatus>(['PENDING', 'EXPIRED', 'FAILED', 'WITHDRAWN', 'WITHDRAW_PENDING'])(
      'taint a payment that is %s, once',
      async (status) => {
        const [id, later] = [await withStatus(status), await withStatus(status)];
        await tellHit(id, 'destination');
        await tellHit(id, 'destination');
        await tellHit(id, 'owner');
        await tellHit(later, 'owner', id);
        await becomesTainted(later);
        const entries = await client.database.rows(
          `SELECT facts->>'reason' AS reason FROM timeline_entries
           WHERE payment_id = $1 AND facts->>'status' = 'TAINTED'`,
          [id],
        );
        expect(entries).toEqual([{ reason: 'destination' }]);
        expect((await client.status(id)).status).toBe('TAINTED');
      },
    );

    it('leave a complete payment complete', async () => {
      const [id, later] = [await withStatus('COMPLETE'), await withStatus('FAILED')];
      await tellHit(id, 'owner');
      await tellHit(later, 'owner', id);
      await becomesTainted(later);
      expect((await client.status(id)).status).toBe('COMPLETE');
    });
  });

  it('report the reason of a failure and resume the payment', async () => {
    const { payment_id } = await funded();
    const state = aState(payment_id);
    await tell(state);
    await tell({ ...state, version: 2, status: 'FAILED', failure: 'Transaction reverted.' });
    await eventually(async () => {
      expect(await client.status(payment_id, WITHDRAW_PENDING)).toMatchObject({
        status: 'PENDING',
        withdrawals: [
          { status: 'FAILED', issues: [{ kind: 'other', message: 'Transaction reverted.' }] },
        ],
      });
    });
  });

  it('end the payment when the chain shows an empty wallet', async () => {
    const payment = await funded();
    const state = aState(payment.payment_id);
    await tell(state);
    await tell({ ...state, version: 2, status: 'SUCCESS', transaction_hash: HASH });
    await eventually(async () => {
      const { withdrawals } = await client.status(payment.payment_id);
      expect(withdrawals?.[0]).toMatchObject({ status: 'SUCCESS' });
    });
    expect((await client.status(payment.payment_id)).status).toBe('PENDING');
    await mine(payment.payment_id, walletOf(payment), BigInt(state.nonce));
    expect(await client.status(payment.payment_id)).toMatchObject({
      status: 'WITHDRAWN',
      funded: true,
      withdrawals: [{ status: 'SUCCESS', transaction_hash: HASH }],
      issues: [],
    });
    await eventually(async () => {
      const events = await client.events(payment.payment_id);
      expect(events.at(-1)?.type).toBe('payment.withdrawn');
    });
  });

  describe('submitted on chain for a TAINTED payment', () => {
    const tainted = async () => {
      const payment = await funded();
      await client.admin.query(`UPDATE payments SET status = 'TAINTED' WHERE id = $1`, [
        payment.payment_id,
      ]);
      return payment;
    };
    const statuses = async (id: string) => [
      (await client.status(id)).status,
      (await client.status(id, WITHDRAW_PENDING)).status,
    ];

    it('show as pending on request, and the payment as TAINTED otherwise', async () => {
      const { payment_id: id } = await tainted();
      await tell(aState(id));
      await eventually(async () => {
        expect(await statuses(id)).toEqual(['TAINTED', 'WITHDRAW_PENDING']);
      });
    });

    it('end it as withdrawn when the chain shows an empty wallet', async () => {
      const payment = await tainted();
      await mine(payment.payment_id, walletOf(payment), 103n);
      expect(await statuses(payment.payment_id)).toEqual(['WITHDRAWN', 'WITHDRAWN']);
    });

    it.each([true, false])(
      'leave it TAINTED when the chain shows remaining funds (accept_blame: %p)',
      async (acceptBlame) => {
        const payment = await tainted();
        await send(payment, 20_000_000n);
        await mine(payment.payment_id, walletOf(payment), 104n, acceptBlame);
        expect(await statuses(payment.payment_id)).toEqual(['TAINTED', 'TAINTED']);
        const { withdrawals } = await client.status(payment.payment_id);
        expect(withdrawals).toMatchObject([{ status: 'SUCCESS' }]);
      },
    );
  });

  it('end it as expired when the chain shows remaining funds', async () => {
    const payment = await funded();
    await send(payment, 20_000_000n);
    await mine(payment.payment_id, walletOf(payment), 99n);
    expect(await client.status(payment.payment_id)).toMatchObject({
      status: 'EXPIRED',
      withdrawals: [{ status: 'SUCCESS', token_amounts: [], transaction_hash: HASH }],
      issues: [{ classification: 'UNDERFUNDED', balance: { '#': '20000000' } }],
    });
    // The withdrawal service settles its request from this.
    await eventually(async () => {
      const events = await client.events<PaymentState>(payment.payment_id);
      expect(events.at(-1)?.data.mined_withdrawals).toEqual([
        { chain: 'alphanet', nonce: '99', transaction_hash: HASH },
      ]);
    });
  });

  it('end it as expired when a token remains that was delisted meanwhile', async () => {
    const list = (isListed: boolean) =>
      client.admin.query('UPDATE assets SET listed = $2 WHERE id = $1', [USDC, isListed]);
    const payment = await funded();
    await send(payment, 20_000_000n);
    await list(false);
    await mine(payment.payment_id, walletOf(payment), 102n).finally(() => list(true));
    expect(await client.status(payment.payment_id)).toMatchObject({
      status: 'EXPIRED',
      issues: [{ classification: 'UNDERFUNDED', balance: { '#': '20000000' } }],
    });
    await eventually(async () => {
      const events = await client.events<PaymentState>(payment.payment_id);
      expect(events.at(-1)?.data.held_tokens).toEqual([USDC]);
    });
  });

  it('treat an amount above its withdrawal cost as something left, also below DUST_USD', async () => {
    const payment = await funded();
    await client.admin.query(
      `INSERT INTO prices (asset, version, usd, observed_at)
       VALUES ('alphanet:0x', 1, 0.01, now()), ($1, 1, 1, now())`,
      [USDC],
    );
    await send(payment, 40_000n);
    await mine(payment.payment_id, walletOf(payment), 101n);
    expect((await client.status(payment.payment_id)).status).toBe('EXPIRED');
  });

  it('treat an amount below its withdrawal cost as nothing', async () => {
    const payment = await funded();
    await client.admin.query(
      `INSERT INTO prices (asset, version, usd, observed_at)
       VALUES ('alphanet:0x', 1, 3000, now()), ($1, 1, 1, now())`,
      [USDC],
    );
    await send(payment, 60_000n);
    await mine(payment.payment_id, walletOf(payment), 100n);
    expect((await client.status(payment.payment_id)).status).toBe('WITHDRAWN');
  });

  /** USDC really in the wallet. */
  async function send(payment: { processing_addresses: { address: string }[] }, amount: bigint) {
    const holder = createWalletClient({
      account: privateKeyToAccount(developmentAccounts[0].privateKey),
      transport: http(chain.rpcUrl),
    }).extend(publicActions);
    const hash = await holder.writeContract({
      chain: null,
      address: USDC.slice(USDC.indexOf(':') + 1) as Hex,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [walletOf(payment), amount],
      // A withdrawal may empty the wallet after an estimate, and the transfer then costs more gas.
      gas: 100_000n,
    });
    await holder.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  }
});
