import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BalancesResponse,
  ErrorBody,
  KeyMode,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import {
  asksForDataFee,
  eventually,
  setDataFee,
  startCapturingServer,
  startLyingNode,
  startTestChain,
} from '@bascule/testing';
import type { CapturingServer, TestChain } from '@bascule/testing';
import { numberToHex, size } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { playOn } from '../testing/chain-player.fixture.js';
import type { ChainPlayer } from '../testing/chain-player.fixture.js';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import {
  FEE_RECEIVER,
  ORGANISATION,
  RELAYER,
  USDC,
  startStage,
  useRelayerNonce,
} from '../testing/withdrawal-stage.fixture.js';
import type { NodeCall, Stage } from '../testing/withdrawal-stage.fixture.js';

const onBase = (address: string): TokenIdentifier => `base:${address.toLowerCase() as Hex}`;
const LIVE_USDC = onBase(developmentAddresses.usdc);
/** Never priced. */
const LIVE_USDT = onBase(developmentAddresses.usdt);
const LIVE_ETHER: TokenIdentifier = 'base:0x';
/** Loops for about 100,000 gas, and accepts every payment. */
const MODERATE = '0x62000f005b6001900380600457631626ba7e60e01b60005260206000f3';

/** Fee for the data on the parent chain, about as much as the gas. */
const WEI_PER_BYTE = 10n ** 11n;

const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

/** Development chain that poses as a live one. */
let chain: TestChain;
let base: ChainPlayer;
/** Node of the live chain, as the service sees it. */
let node: CapturingServer;
let refusesTransactions = false;
/** Gas price in place of the chain's. */
let gasPrice: bigint | null = null;
let stage: Stage;

beforeAll(async () => {
  chain = await startTestChain({ name: 'base', chainId: 8453 });
  await setDataFee(chain.rpcUrl, WEI_PER_BYTE);
  base = playOn(chain);
  node = await startCapturingServer(async ({ body }) => {
    const { id, method } = JSON.parse(body.toString()) as NodeCall;
    if (refusesTransactions && method === 'eth_sendRawTransaction') return { status: 503 };
    const headers = { 'content-type': 'application/json' };
    if (gasPrice !== null && method === 'eth_gasPrice') {
      const result = numberToHex(gasPrice);
      return { headers, body: JSON.stringify({ jsonrpc: '2.0', id, result }) };
    }
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
    return { headers, body: await answer.text() };
  });
  // The node serves no state of blocks from before its start.
  await base.client.mine({ blocks: 10 });
  stage = await startStage({
    variables: {
      CHAINS: 'alphanet,betanet,base',
      RPC_URLS_BASE: node.url,
      CONFIRMATIONS_BASE: '2',
      SCREENING_DISABLED: 'true',
    },
  });
  const listed = [
    [LIVE_USDC, 'USDC', 6, '1'],
    [LIVE_USDT, 'USDT', 6, null],
    [LIVE_ETHER, 'ETH', 18, '3000'],
  ] as const;
  for (const [id, symbol, decimals, usd] of listed) {
    const address = id.slice('base:'.length);
    const facts = { chain: 'base', address, name: symbol, symbol, decimals, image_url: '' };
    const asset = { ...facts, is_native: id === LIVE_ETHER };
    await stage.publish('catalogue', 'asset.listed', id, { version: 1, id, listed: true, asset });
    if (usd !== null) await stage.publishPrice(id, usd);
  }
  await eventually(async () => {
    const rows = await stage.database.rows<{ known: string }>(
      `SELECT (SELECT count(*) FROM assets WHERE id LIKE 'base:%')
         + (SELECT count(*) FROM prices WHERE asset LIKE 'base:%') AS known`,
    );
    expect(rows).toEqual([{ known: '5' }]);
  });
}, 180_000);
afterAll(async () => {
  await stage.stop();
  await node.stop();
  await chain.stop();
});

afterEach(() => {
  refusesTransactions = false;
  gasPrice = null;
});

/** Payment on the test chain whose wallet holds money on the live one. */
async function aPaymentHolding(token: TokenIdentifier, amount: bigint): Promise<TestPayment> {
  const payment = aPayment(owner.address, { status: 'EXPIRED' });
  await stage.publish('payment', 'payment.updated', payment.id, payment.state);
  await base.fund(token, payment.wallet, amount);
  return payment;
}

const call = <T>(mode: KeyMode, path: string, body: object) =>
  stage.call<T & ErrorBody>(path, body, ORGANISATION, {}, { caller: { mode } });

const ask = (
  mode: KeyMode,
  payment: TestPayment,
  [token, amount]: [TokenIdentifier, string],
  recipient: string = owner.address,
) =>
  call<WithdrawResponse>(mode, '/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token, amount }],
    recipient_address: recipient,
  });

const confirm = async (mode: KeyMode, answer: WithdrawResponse, polling_timeout = 60_000) =>
  call<WithdrawalStatusResponse>(mode, '/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature: await signWithdrawal(answer, owner),
    polling_timeout,
  });

const relayed = () => base.client.getTransactionCount({ address: RELAYER });

describe('money on a live chain in the wallet of a test payment', () => {
  it.each([
    ['a token', LIVE_USDC, 40_000_000n, '40'],
    ['native currency', LIVE_ETHER, 10n ** 17n, '0.1'],
  ] as const)('%s: is recovered by one signature for a fee of all gas', async (...row) => {
    const [, token, units, amount] = row;
    const payment = await aPaymentHolding(token, units);
    const { body: found } = await call<BalancesResponse>('test', '/payments/balances', {
      payment_id: payment.id,
    });
    expect(found.balance_results).toContainEqual(
      expect.objectContaining({ token, value: expect.objectContaining({ amount }) as unknown }),
    );
    const recipient = anAddress();
    const asked = await ask('test', payment, [token, amount], recipient);
    const before = await base.balance(token, FEE_RECEIVER);
    const { status, body } = await confirm('test', asked.body);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    const fee = (await base.balance(token, FEE_RECEIVER)) - before;
    expect(await base.balance(token, recipient)).toBe(units - fee);
    const hash = body.transaction_hash as Hex;
    const { input } = await base.client.getTransaction({ hash });
    const { gasUsed, effectiveGasPrice } = await base.client.getTransactionReceipt({ hash });
    const dataFee = BigInt(size(input)) * WEI_PER_BYTE;
    const feeInWei = token === LIVE_ETHER ? fee : (fee * 10n ** 12n) / 3_000n;
    expect(feeInWei).toBeGreaterThanOrEqual(gasUsed * effectiveGasPrice + dataFee);
  });

  it('is 400 for a test key where the fee repays no gas, which a live key may do once', async () => {
    const payment = await aPaymentHolding(LIVE_USDT, 5_000_000n);
    expect(await ask('test', payment, [LIVE_USDT, '5'])).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'other', message: expect.stringMatching(/must repay its gas/) }] },
    });
    expect((await ask('live', payment, [LIVE_USDT, '5'])).status).toBe(200);
  });

  it('is not sent for a test key where code of the recipient needs more gas than the fee pays', async () => {
    const payment = await aPaymentHolding(LIVE_ETHER, 10n ** 17n);
    const recipient = anAddress();
    await base.setCode(recipient, MODERATE);
    const { body: answer } = await ask('test', payment, [LIVE_ETHER, '0.1'], recipient);
    const before = await relayed();
    expect(await confirm('test', answer)).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringMatching(/needs more gas than/) }] },
    });
    expect((await relayed()) - before).toBe(0);
    const { body: live } = await ask('live', payment, [LIVE_ETHER, '0.1'], recipient);
    expect(await confirm('live', live)).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS' },
    });
  });

  it('is 503 for a test key while gas costs more than the fee, which a live key may leave unpaid', async () => {
    const [payment, other] = [
      await aPaymentHolding(LIVE_ETHER, 10n ** 17n),
      await aPaymentHolding(LIVE_ETHER, 10n ** 17n),
    ];
    const { body: answer } = await ask('test', payment, [LIVE_ETHER, '0.1']);
    const { body: live } = await ask('live', other, [LIVE_ETHER, '0.1']);
    gasPrice = 100n * (await base.client.getGasPrice());
    const before = await relayed();
    const refused = await confirm('test', answer);
    expect(refused).toMatchObject({
      status: 503,
      body: { errors: [{ message: expect.stringMatching(/gas price on Base has risen/) }] },
    });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await relayed()) - before).toBe(0);
    expect((await confirm('live', live)).body).toMatchObject({ status: 'SUCCESS' });
    gasPrice = null;
    expect((await confirm('test', answer)).body).toMatchObject({ status: 'SUCCESS' });
  });

  it('is sent though one of two nodes invents a data fee', async () => {
    const payment = await aPaymentHolding(LIVE_ETHER, 10n ** 17n);
    const { body: answer } = await ask('test', payment, [LIVE_ETHER, '0.1']);
    const liar = await startLyingNode(chain.rpcUrl);
    try {
      await stage.restart({ RPC_URLS_BASE: `${liar.url},${node.url}` });
      liar.lies.set('eth_call', ({ params }, honest) =>
        asksForDataFee(params)
          ? Promise.resolve({ result: numberToHex(10n ** 24n, { size: 32 }) })
          : honest(),
      );
      expect((await confirm('test', answer)).body).toMatchObject({ status: 'SUCCESS' });
      expect(liar.requests.get('eth_call')).toBeGreaterThan(0);
    } finally {
      await stage.restart();
      await liar.stop();
    }
  });

  it('is 503 while gas costs more than the fee, though one of two nodes hides that', async () => {
    const payment = await aPaymentHolding(LIVE_ETHER, 10n ** 17n);
    const { body: answer } = await ask('test', payment, [LIVE_ETHER, '0.1']);
    const liar = await startLyingNode(chain.rpcUrl);
    try {
      await stage.restart({ RPC_URLS_BASE: `${liar.url},${node.url}` });
      liar.lies.set('eth_gasPrice', () => Promise.resolve({ result: numberToHex(0n) }));
      gasPrice = 100n * (await base.client.getGasPrice());
      const before = await relayed();
      expect(await confirm('test', answer)).toMatchObject({
        status: 503,
        body: { errors: [{ message: expect.stringMatching(/gas price on Base has risen/) }] },
      });
      expect((await relayed()) - before).toBe(0);
      gasPrice = null;
      expect((await confirm('test', answer)).body).toMatchObject({ status: 'SUCCESS' });
    } finally {
      await stage.restart();
      await liar.stop();
    }
  });

  it('is not sent again for a test key, once dropped, where it needs more gas than the fee pays', async () => {
    const payment = await aPaymentHolding(LIVE_ETHER, 10n ** 17n);
    const recipient = anAddress();
    const { body: answer } = await ask('test', payment, [LIVE_ETHER, '0.1'], recipient);
    const before = await relayed();
    refusesTransactions = true;
    expect((await confirm('test', answer, 0)).body).toMatchObject({ status: 'PENDING' });
    await base.setCode(recipient, MODERATE);
    await useRelayerNonce(base);
    refusesTransactions = false;
    await eventually(async () => {
      const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
      expect((await stage.call<WithdrawalStatusResponse>(path)).body.status).toBe('FAILED');
    });
    expect((await relayed()) - before).toBe(1);
  });
});

describe('custom queries of balances', () => {
  it('know tokens of live chains with a live key only', async () => {
    const query = (mode: KeyMode, token: TokenIdentifier) =>
      call<BalancesResponse>(mode, '/payments/balances', {
        custom_queries: [{ address: owner.address, token }],
      });
    const message = 'Unknown token. Test keys use test chains only.';
    expect(await query('test', LIVE_USDC)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'custom', path: ['custom_queries', 0, 'token'], message }] },
    });
    expect((await query('test', USDC)).status).toBe(200);
    expect((await query('live', LIVE_USDC)).status).toBe(200);
  });
});
