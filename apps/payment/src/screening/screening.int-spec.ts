import { tokenIdentifier } from '@bascule/contracts';
import type { SendersState } from '@bascule/contracts';
import { developmentAccounts } from '@bascule/local-stack';
import type { FaultPoint } from '@bascule/process';
import type { RunningService } from '@bascule/service-host';
import { developmentAddresses } from '@bascule/solidity';
import {
  eventually,
  FaultTrap,
  SanctionedFile,
  setSanctioned,
  startCapturingServer,
} from '@bascule/testing';
import type { CapturingServer } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { erc20Abi, getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { TimelineReaderService } from '../reading/timeline-reader.service.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const AMOUNT = 100n * ONE_USDC;
const WISH = { input: USDC, output: WETH, amount: AMOUNT };
const [faucet, , , , villain] = developmentAccounts;
const VILLAIN = privateKeyToAddress(villain.privateKey);
const WBTC = tokenIdentifier('alphanet', developmentAddresses.wbtc);

/** Sends USDC from an account that the tests sanction. */
async function sendFromVillain(stack: PaymentStack, to: string, amount: bigint): Promise<void> {
  const hash = await stack.wallet(privateKeyToAccount(villain.privateKey)).writeContract({
    address: developmentAddresses.usdc,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [getAddress(to), amount],
  });
  await stack.alphanet.mined(hash);
}

const expectNoLeg = async (stack: PaymentStack, { id, walletAddress }: PaymentRecord) => {
  const sent = await stack.sql('SELECT 1 FROM chain_transactions WHERE reference LIKE $1', [
    `leg:${id}:%`,
  ]);
  expect(sent).toEqual([]);
  expect(await stack.balance(USDC, walletAddress)).toBeGreaterThan(0n);
};

/** The timeline names the role of the sanctioned address, and no address or source. */
const expectCause = async (stack: PaymentStack, { id }: PaymentRecord, reason: string) => {
  const rows = await stack.sql(
    `SELECT facts FROM timeline_entries
     WHERE payment_id = $1 AND type = 'payment.status_changed' AND facts->>'status' = 'TAINTED'`,
    [id],
  );
  expect(rows).toEqual([{ facts: { status: 'TAINTED', previous_status: 'PENDING', reason } }]);
};

const expectEvent = (stack: PaymentStack, { id }: PaymentRecord, type: string) =>
  eventually(async () => {
    const rows = await stack.sql(
      `SELECT 1 FROM event_log.records
       WHERE key = $1 AND convert_from(value, 'UTF8')::jsonb->>'type' = $2`,
      [id, type],
    );
    expect(rows).toHaveLength(1);
  });

describe('screening of a payment', () => {
  const file = new SanctionedFile();
  const fault = new FaultTrap();
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({
      SCREENING_FILE: file.path,
      EXECUTION_RETRY_MS: '300',
    });
  });
  beforeEach(async () => {
    file.list();
    service = await stack.startProcess();
  });
  afterEach(async () => {
    fault.disarm();
    await stack.stopServices();
  });
  afterAll(async () => {
    await stack.stop();
    file.remove();
  });

  describe('before its leg', () => {
    it.each<[string, (payment: PaymentRecord) => string]>([
      ['owner', ({ ownerAddress }) => ownerAddress],
      ['destination', ({ destinationAddress }) => destinationAddress],
    ])('taints it when its %s is sanctioned meanwhile', async (role, sanctioned) => {
      const payment = await stack.confirm(service, WISH);
      file.list(sanctioned(payment));
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      await stack.expectToBecome(payment, { status: 'TAINTED', completedAt: null });
      await expectNoLeg(stack, payment);
      await expectEvent(stack, payment, 'payment.tainted');
      await expectCause(stack, payment, role);
    });

    it('fails the leg when a receiver of the revenue share is sanctioned meanwhile', async () => {
      const receiver = privateKeyToAddress(generatePrivateKey());
      const leg = {
        chain: 'alphanet',
        input_token: USDC,
        input_amount: AMOUNT.toString(),
        max_input: AMOUNT.toString(),
        fees: [{ kind: 'business' as const, receiver, amount: '500000' }],
        output_token: USDC,
        output_amount: '99500000',
        min_output: '99500000',
      };
      const payment = await stack.confirmPlan(service, [leg], WISH);
      file.list(receiver);
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      const after = await stack.expectToBecome(payment, { status: 'FAILED' });
      expect(after.legs[0]?.failure).toMatchObject({ reason: 'unroutable' });
      await expectNoLeg(stack, payment);
    });

    it('waits while a source is unavailable, and completes it afterwards', async () => {
      const payment = await stack.confirm(service, WISH);
      file.takeAway();
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      await eventually(async () => {
        const asked = await stack.sql<{ times: number }>(
          `SELECT times FROM screenings
           WHERE reference = $1 AND purpose = 'leg' AND verdict = 'unanswered' AND address = $2`,
          [payment.id, payment.ownerAddress.toLowerCase()],
        );
        expect(asked[0]?.times).toBeGreaterThan(1);
      });
      expect(await stack.read(payment.id)).toMatchObject({
        status: 'PENDING',
        legs: [{ status: 'PENDING', attempts: 0, failure: null }],
      });
      await expectNoLeg(stack, payment);
      const waits = await stack.sql<{ reason: string }>(
        `SELECT facts->>'reason' AS reason FROM timeline_entries
         WHERE payment_id = $1 AND type = 'leg.waiting' AND facts->>'leg' = '0'`,
        [payment.id],
      );
      expect(waits).toContainEqual({ reason: 'screening unavailable' });
      const found = await service.app.get(PaymentReaderRepository).find(payment.id);
      if (found === null) throw new Error('expected the payment');
      const page = { after: 0, limit: 100 };
      const { waits_for } = await service.app.get(TimelineReaderService).page(found, page);
      const wait = { kind: 'EXECUTION', leg: 0, reason: 'screening unavailable' };
      expect(waits_for).toMatchObject(wait);
      file.list();
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
    });
  });

  describe('when a deposit is seen', () => {
    it.each<[string, (payment: PaymentRecord) => string]>([
      ['owner', ({ ownerAddress }) => ownerAddress],
      ['destination', ({ destinationAddress }) => destinationAddress],
    ])('taints it by its %s, though no leg may start', async (role, sanctioned) => {
      const payment = await stack.confirm(service, WISH);
      file.list(sanctioned(payment));
      await stack.send(USDC, payment.walletAddress, ONE_USDC);
      const after = await stack.expectToBecome(payment, { status: 'TAINTED' });
      expect(after.fundedInFullAt).toBeNull();
      await expectCause(stack, payment, role);
    });
  });

  describe('beside a version of the service before', () => {
    const published = ({ id }: PaymentRecord) =>
      stack.sql<{ version: number; senders: SendersState }>(
        `SELECT (state->>'version')::int AS version, state->>'senders' AS senders
         FROM (SELECT "offset", convert_from(value, 'UTF8')::jsonb->'data' AS state
               FROM event_log.records WHERE key = $1) AS event ORDER BY "offset"`,
        [id],
      );

    it('applies verdicts that this version stored', async () => {
      const payment = await stack.confirm(service, WISH);
      file.takeAway();
      await sendFromVillain(stack, payment.walletAddress, 5n * ONE_USDC);
      await eventually(async () =>
        expect(await stack.read(payment.id)).toMatchObject({ senders: 'WAITING' }),
      );
      await stack.stopProcess(service);
      await stack.sql(
        'UPDATE sender_screenings SET sanctioned = false, due_at = NULL WHERE payment_id = $1',
        [payment.id],
      );
      service = await stack.startProcess();
      await stack.expectToBecome(payment, { status: 'PENDING', senders: 'CLEAR' });
      await eventually(async () =>
        expect((await published(payment)).at(-1)).toMatchObject({ senders: 'CLEAR' }),
      );
    });

    it('taints by verdicts that other rules applied', async () => {
      file.list(VILLAIN);
      const payment = await stack.confirm(service, WISH);
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
      await sendFromVillain(stack, payment.walletAddress, AMOUNT);
      await stack.expectToBecome(payment, { status: 'COMPLETE', senders: 'TAINTED' });
      await eventually(async () => {
        const due = 'SELECT 1 FROM sender_screenings WHERE payment_id = $1 AND due_at IS NOT NULL';
        expect(await stack.sql(due, [payment.id])).toEqual([]);
      });
      await stack.sql(`UPDATE payments SET senders = 'CLEAR' WHERE id = $1`, [payment.id]);
      await stack.sql('UPDATE sender_screenings SET judged_by = 0 WHERE payment_id = $1', [
        payment.id,
      ]);
      await stack.expectToBecome(payment, { status: 'COMPLETE', senders: 'TAINTED' });
    });

    it('publishes once what this version wrote without the whole state', async () => {
      const payment = await stack.confirm(service, WISH);
      await eventually(async () =>
        expect(await published(payment)).toEqual([{ version: 1, senders: 'CLEAR' }]),
      );
      for (const version of [2, 3]) {
        await stack.sql('UPDATE payments SET version = version + 1 WHERE id = $1', [payment.id]);
        await eventually(async () =>
          expect((await published(payment)).at(-1)).toEqual({ version, senders: 'CLEAR' }),
        );
      }
      expect(await published(payment)).toHaveLength(3);
    });
  });

  describe('by the senders of its deposits', () => {
    it('taints it when a sanctioned address funds it', async () => {
      file.list(VILLAIN);
      const payment = await stack.confirm(service, WISH);
      await sendFromVillain(stack, payment.walletAddress, AMOUNT);
      await stack.expectToBecome(payment, { status: 'TAINTED' });
      await expectNoLeg(stack, payment);
      await expectCause(stack, payment, 'sender');
    });

    it('taints a payment that is not funded once the sum exceeds the limit, not before', async () => {
      file.list(VILLAIN);
      const payment = await stack.confirm(service, WISH);
      const screened = async (deposits: number) => {
        const now = await stack.read(payment.id);
        expect(now.deposits.filter(({ confirmed }) => confirmed)).toHaveLength(deposits);
        const done = await stack.sql(
          'SELECT 1 FROM sender_screenings WHERE payment_id = $1 AND sanctioned AND due_at IS NULL',
          [payment.id],
        );
        expect(done).toHaveLength(1);
      };
      await sendFromVillain(stack, payment.walletAddress, ONE_USDC);
      await eventually(() => screened(1));
      expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING' });
      await sendFromVillain(stack, payment.walletAddress, 1n);
      await stack.expectToBecome(payment, { status: 'TAINTED' });
    });

    it('is not frozen by dust of a sanctioned address', async () => {
      file.list(VILLAIN);
      const payment = await stack.confirm(service, WISH);
      await sendFromVillain(stack, payment.walletAddress, ONE_USDC / 2n);
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
    });

    it('leaves a complete payment complete', async () => {
      file.list(VILLAIN);
      const payment = await stack.confirm(service, WISH);
      await stack.send(USDC, payment.walletAddress, AMOUNT);
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
      await sendFromVillain(stack, payment.walletAddress, AMOUNT);
      await eventually(async () => {
        const verdicts = await stack.sql(
          'SELECT sanctioned FROM sender_screenings WHERE payment_id = $1 AND address = $2 AND due_at IS NULL',
          [payment.id, VILLAIN.toLowerCase()],
        );
        expect(verdicts).toEqual([{ sanctioned: true }]);
      });
      // Its money cannot be withdrawn through the service.
      const after = { status: 'COMPLETE', senders: 'TAINTED' } as const;
      await stack.expectToBecome(payment, after);
    });

    it.each<[string, boolean]>([
      ['came without a price', true],
      ['was delisted before', false],
    ])('freezes only the token where it %s, and publishes that', async (_, listed) => {
      await stack.sql(
        `INSERT INTO assets (id, version, chain, decimals, asset, listed)
         VALUES ($1, 1, 'alphanet', 8, '{}', $2)`,
        [WBTC, listed],
      );
      const payment = await stack.confirm(service, WISH);
      file.list(faucet.address);
      await stack.send(WBTC, payment.walletAddress, 5_000n);
      const frozenTokens = [WBTC];
      await stack.expectToBecome(payment, { status: 'PENDING', senders: 'CLEAR', frozenTokens });
      await eventually(async () => {
        const rows = await stack.sql<{ frozen: unknown }>(
          `SELECT convert_from(value, 'UTF8')::jsonb->'data'->'frozen_tokens' AS frozen
           FROM event_log.records WHERE key = $1 ORDER BY "offset" DESC LIMIT 1`,
          [payment.id],
        );
        expect(rows).toEqual([{ frozen: frozenTokens }]);
      });
      await stack.sql(`DELETE FROM assets WHERE id = $1`, [WBTC]);
    });

    it('publishes that withdrawals wait, until the sender of a later deposit is screened', async () => {
      const payment = await stack.confirm(service, WISH);
      const published = async () => {
        const rows = await stack.sql<{ senders: SendersState }>(
          `SELECT convert_from(value, 'UTF8')::jsonb->'data'->>'senders' AS senders
           FROM event_log.records WHERE key = $1 ORDER BY "offset"`,
          [payment.id],
        );
        return rows.map(({ senders }) => senders).filter((it, at, all) => it !== all[at - 1]);
      };
      for (const states of [
        ['CLEAR', 'WAITING', 'CLEAR'],
        ['CLEAR', 'WAITING', 'CLEAR', 'WAITING', 'CLEAR'],
      ]) {
        await sendFromVillain(stack, payment.walletAddress, 5n * ONE_USDC);
        await eventually(async () => expect(await published()).toEqual(states));
      }
      expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING', senders: 'CLEAR' });
    });

    it('waits for a source that is unavailable when the deposit is seen', async () => {
      file.takeAway();
      const payment = await stack.confirm(service, WISH);
      await sendFromVillain(stack, payment.walletAddress, 5n * ONE_USDC);
      await eventually(async () => {
        const asked = await stack.sql(
          `SELECT 1 FROM screenings
           WHERE reference = $1 AND purpose = 'deposit' AND verdict = 'unanswered'
             AND address = $2`,
          [payment.id, VILLAIN.toLowerCase()],
        );
        expect(asked).toHaveLength(1);
      });
      expect(await stack.read(payment.id)).toMatchObject({ senders: 'WAITING' });
      file.list(VILLAIN);
      await stack.sql(`UPDATE sender_screenings SET due_at = now() WHERE payment_id = $1`, [
        payment.id,
      ]);
      await stack.expectToBecome(payment, { status: 'TAINTED', senders: 'TAINTED' });
    });

    it.each<[FaultPoint, number]>([
      ['payment.deposit-seen', 1],
      ['payment.deposit-seen', 2],
      ['payment.sender-screened', 1],
      ['payment.sender-screened', 2],
    ])('taints it once after a crash at %s, pass %i', async (point, pass) => {
      file.list(VILLAIN);
      const payment = await stack.confirm(service, WISH);
      const death = fault.arm(point, pass);
      await sendFromVillain(stack, payment.walletAddress, AMOUNT);
      await death;
      await stack.stopProcess(service);
      fault.disarm();
      await stack.letLeasesRunOut();
      await stack.sql('UPDATE sender_screenings SET due_at = now() WHERE due_at IS NOT NULL');
      service = await stack.startProcess();
      await stack.expectToBecome(payment, { status: 'TAINTED' });
      await expectNoLeg(stack, payment);
      await expectEvent(stack, payment, 'payment.tainted');
    });
  });
});

describe('screening by an API', () => {
  const questions: string[][] = [];
  let isDown = false;
  const sanctioned = new Set<string>();
  let api: CapturingServer;
  let stack: PaymentStack;
  beforeAll(async () => {
    api = await startCapturingServer(({ body }) => {
      if (isDown) return { status: 503 };
      const asked = JSON.parse(String(body)) as { address: string }[];
      questions.push(asked.map(({ address }) => address));
      return {
        body: JSON.stringify(
          asked.map((it) => ({ ...it, isSanctioned: sanctioned.has(it.address.toLowerCase()) })),
        ),
      };
    });
    stack = await PaymentStack.start({ SCREENING_API_URL: api.url });
  });
  afterEach(() => stack.stopServices());
  afterAll(async () => {
    await stack.stop();
    await api.stop();
  });

  it('asks about many senders of a payment by few questions', async () => {
    const service = await stack.startProcess();
    const { id } = await stack.confirm(service, WISH);
    await stack.stopProcess(service);
    questions.length = 0;
    await stack.sql(
      `INSERT INTO sender_screenings (id, payment_id, address, due_at)
       SELECT gen_random_uuid(), $1, '0x' || lpad(to_hex(n), 40, '0'), now() FROM generate_series(1, 150) AS n`,
      [id],
    );
    await stack.startProcess();
    await eventually(async () => {
      const screened = await stack.sql(
        'SELECT 1 FROM sender_screenings WHERE payment_id = $1 AND NOT sanctioned AND due_at IS NULL',
        [id],
      );
      expect(screened).toHaveLength(150);
    });
    // With the owner and the destination.
    expect(new Set(questions.flat()).size).toBe(152);
    // Each of the worker's four slots may begin with one of them.
    expect(questions.length).toBeLessThan(10);
  });

  it('asks again about the owner where only the sender’s answer was cached', async () => {
    const first = await stack.startProcess();
    const payment = await stack.confirm(first, WISH);
    const other = await stack.confirm(first, WISH);
    await stack.stopProcess(first);
    // Forgets what was answered at the confirms.
    await stack.startProcess();
    await sendFromVillain(stack, other.walletAddress, ONE_USDC);
    const isDone = (id: string) =>
      stack.sql('SELECT 1 FROM sender_screenings WHERE payment_id = $1 AND due_at IS NULL', [id]);
    await eventually(async () => expect(await isDone(other.id)).toHaveLength(1));
    isDown = true;
    await sendFromVillain(stack, payment.walletAddress, ONE_USDC);
    await eventually(async () => {
      const verdicts = await stack.sql(
        `SELECT verdict FROM screenings
         WHERE reference = $1 AND purpose = 'deposit' AND address = ANY($2) ORDER BY verdict`,
        [payment.id, [payment.ownerAddress.toLowerCase(), VILLAIN.toLowerCase()]],
      );
      expect(verdicts).toEqual([{ verdict: 'clear' }, { verdict: 'unanswered' }]);
    });
    sanctioned.add(payment.ownerAddress.toLowerCase());
    isDown = false;
    await eventually(async () => {
      // Instead of waiting for the end of the lease.
      await stack.sql('UPDATE sender_screenings SET due_at = now() WHERE due_at IS NOT NULL');
      expect((await stack.read(payment.id)).status).toBe('TAINTED');
    });
  });
});

describe('screening by an on-chain oracle', () => {
  let stack: PaymentStack;
  beforeAll(async () => {
    stack = await PaymentStack.start({
      SCREENING_ORACLES: `alphanet=${developmentAddresses.sanctionsList}`,
      SCREENING_CACHE_MS: '0',
    });
  });
  afterAll(() => stack.stop());

  it('taints a payment whose sender is on its list, and completes another one', async () => {
    const service = await stack.startProcess();
    const clear = await stack.confirm(service, WISH);
    await stack.send(USDC, clear.walletAddress, AMOUNT);
    const rpcUrl = stack.chain.anyNode.client.chain.rpcUrls.default.http[0] ?? '';
    await setSanctioned(rpcUrl, [VILLAIN]);
    const tainted = await stack.confirm(service, WISH);
    await sendFromVillain(stack, tainted.walletAddress, AMOUNT);
    await stack.expectToBecome(clear, { status: 'COMPLETE' });
    await stack.expectToBecome(tainted, { status: 'TAINTED' });
    await expectNoLeg(stack, tainted);
  });
});
