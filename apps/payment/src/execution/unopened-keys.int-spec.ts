import { developmentAccounts, freePort } from '@bascule/local-stack';
import type { RunningService } from '@bascule/service-host';
import { startStandInKms, type StandInKms } from '@bascule/signers/testing';
import { developmentAddresses, executorAbi } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeFunctionData, parseEther } from 'viem';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const AMOUNT = 5_000_000n;
const WISH = { input: USDC, output: USDC, amount: AMOUNT };
const DOWN = { status: 503, code: 'Unavailable' };

const [, , operator] = developmentAccounts;
const { executor } = developmentAddresses;

describe('an executor with a key that cannot be opened when it starts', () => {
  let stack: PaymentStack;
  let kms: StandInKms;
  let kept: string;
  const privateKey = generatePrivateKey();
  const present = privateKeyToAddress(privateKey);

  beforeAll(async () => {
    kms = await startStandInKms({ privateKey: operator.privateKey, port: await freePort() });
    kept = `${kms.locations['aws-kms']}#${operator.address}`;
    stack = await PaymentStack.start(kms.environment);
    await appoint(present);
  });
  afterEach(async () => {
    up();
    await stack.stopServices();
  });
  afterAll(async () => {
    await stack.stop();
    await kms.stop();
  });

  async function appoint(account: Address): Promise<void> {
    const { node } = stack;
    await node.setBalance({ address: account, value: parseEther('10') });
    const from = await node.readContract({
      address: executor,
      abi: executorAbi,
      functionName: 'owner',
    });
    await node.impersonateAccount({ address: from });
    await node.setBalance({ address: from, value: parseEther('10') });
    const data = encodeFunctionData({
      abi: executorAbi,
      functionName: 'setOperator',
      args: [account, true],
    });
    const hash = await node.sendUnsignedTransaction({ from, to: executor, data });
    await stack.alphanet.mined(hash);
  }

  /** Fails every request for the key, until it is up again. */
  const down = () => kms.misbehave(...Array.from({ length: 10_000 }, () => DOWN));
  const up = () => kms.misbehave();
  async function funded(service: RunningService): Promise<PaymentRecord> {
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, AMOUNT);
    return payment;
  }
  const transactionsOf = ({ id }: PaymentRecord) =>
    stack.sql<{ signer: string; attempts: number }>(
      `SELECT signer, (SELECT count(*)::int FROM chain_transaction_attempts
         WHERE transaction_id = t.id) AS attempts
       FROM chain_transactions t WHERE reference LIKE $1`,
      [`leg:${id}:%`],
    );
  const unavailable = async ({ operationsUrl }: RunningService, value: number) => {
    const shown = await (await fetch(`${operationsUrl}/metrics`)).text();
    const labels = `signer="${operator.address}"`;
    expect(shown).toMatch(new RegExp(`^chain_signer_unavailable{${labels}[^}]*} ${value}$`, 'm'));
  };

  it('starts without a retired one, works with the other, and has it sign once it is back', async () => {
    const before = await stack.startProcess({ EXECUTOR_PRIVATE_KEY: kept });
    down();
    const reserved = await funded(before);
    const ofRetired = { signer: operator.address, attempts: 0 };
    await eventually(async () => expect(await transactionsOf(reserved)).toEqual([ofRetired]));
    await stack.stopProcess(before);

    const service = await stack.startProcess({
      EXECUTOR_PRIVATE_KEY: privateKey,
      EXECUTOR_RETIRED_KEYS: kept,
    });
    await unavailable(service, 1);
    const payment = await funded(service);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(await transactionsOf(payment)).toMatchObject([{ signer: present }]);
    expect(await transactionsOf(reserved)).toEqual([ofRetired]);

    up();
    await stack.expectToBecome(reserved, { status: 'COMPLETE' });
    expect(await transactionsOf(reserved)).toMatchObject([{ signer: operator.address }]);
    await unavailable(service, 0);
  });

  it('reserves nothing for it while it is one of several, and uses it once it is back', async () => {
    down();
    const service = await stack.startProcess({ EXECUTOR_PRIVATE_KEY: `${kept},${privateKey}` });
    for (let count = 0; count < 3; count += 1) {
      const payment = await funded(service);
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
      expect(await transactionsOf(payment)).toMatchObject([{ signer: present }]);
    }
    up();
    await eventually(() => unavailable(service, 0), { timeoutMs: 90_000 });
    await eventually(
      async () => {
        const payment = await funded(service);
        await stack.expectToBecome(payment, { status: 'COMPLETE' });
        expect(await transactionsOf(payment)).toMatchObject([{ signer: operator.address }]);
      },
      { timeoutMs: 60_000 },
    );
  });

  it('lets payments wait without a nonce while it is the only one', async () => {
    down();
    const service = await stack.startProcess({ EXECUTOR_PRIVATE_KEY: kept });
    const payment = await funded(service);
    await eventually(async () => {
      const rows = await stack.sql<{ reason: string }>(
        `SELECT facts->>'reason' AS reason FROM timeline_entries
         WHERE payment_id = $1 AND type = 'leg.waiting'`,
        [payment.id],
      );
      expect(rows).toContainEqual({ reason: 'key of the executor unavailable' });
    });
    expect(await transactionsOf(payment)).toEqual([]);
    up();
    await stack.expectToBecome(payment, { status: 'COMPLETE', legs: [{ attempts: 1 }] });
  });

  it('does not start with one that has another address than its location names', async () => {
    const wrong = kept.replace(operator.address, present);
    await expect(
      stack.startProcess({ EXECUTOR_PRIVATE_KEY: privateKey, EXECUTOR_RETIRED_KEYS: wrong }),
    ).rejects.toThrow(`has the address ${operator.address}, not ${present}`);
  });
});
