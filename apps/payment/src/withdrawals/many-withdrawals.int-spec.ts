import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import {
  declarationHash,
  developmentAddresses,
  oneTimeWalletAbi,
  oneTimeWalletFactoryAbi,
  parseDeclaration,
} from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { encodeFunctionData, getAddress, multicall3Abi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { READ_WITHDRAWALS } from '../persistence/past-withdrawals.repository.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { RELAY, signedByOwner } from '../testing/owner-withdrawal.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';

const ONE_USDC = 1_000_000n;
const WISH = { input: USDC, output: USDC, amount: 10n * ONE_USDC };
const PER_TRANSACTION = 100;

/** Submits withdrawals without actions, which the owner signs for nothing, by one transaction. */
async function withdrawNothing(
  stack: PaymentStack,
  payment: PaymentRecord,
  owner: PrivateKeyAccount,
): Promise<void> {
  const declaration = parseDeclaration(payment.declaration);
  // A chain that has just started may have no new block yet, but one of an hour ago.
  await stack.node.mine({ blocks: 1 });
  const { timestamp: now } = await stack.node.getBlock();
  const nothing = { actions: [], acceptBlame: false, now };
  const withdrawals = Array.from({ length: PER_TRANSACTION }, async () => {
    const { chainId } = stack.chain;
    const signed = await signedByOwner(payment, owner, chainId, nothing);
    const { authorization, signature } = signed;
    const callData = encodeFunctionData({
      abi: oneTimeWalletAbi,
      functionName: 'withdraw',
      args: [declaration, authorization, signature],
    });
    return { target: getAddress(payment.walletAddress), allowFailure: false, callData };
  });
  const deploy = {
    target: declaration.factory,
    allowFailure: false,
    callData: encodeFunctionData({
      abi: oneTimeWalletFactoryAbi,
      functionName: 'deploy',
      args: [declarationHash(declaration)],
    }),
  };
  const hash = await stack.wallet(RELAY).writeContract({
    address: developmentAddresses.multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[deploy, ...(await Promise.all(withdrawals))]],
    gas: 29_000_000n,
  });
  const { status } = await stack.node.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
}

describe('hundreds of withdrawals that an owner submits himself', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start();
  });
  afterAll(() => stack.stop());

  it('are all recorded, and neither stop other payments nor grow the events', async () => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const attacked = await stack.confirm(service, { ...WISH, owner: owner.address });
    const sizes: number[] = [];
    for (let round = 1; round <= 4; round += 1) {
      const other = await stack.confirm(service, WISH);
      await withdrawNothing(stack, attacked, owner);
      await stack.send(USDC, other.walletAddress, WISH.amount);
      await stack.expectToBecome(other, { status: 'COMPLETE' });
      await eventually(async () => {
        const rows = await stack.sql('SELECT FROM payment.withdrawals WHERE payment_id = $1', [
          attacked.id,
        ]);
        expect(rows).toHaveLength(round * PER_TRANSACTION);
      });
      sizes.push((await stack.read(attacked.id)).withdrawals.length);
    }
    expect(sizes).toEqual([1, 2, 3, 4].map(() => READ_WITHDRAWALS));
    const events = await stack.sql<{ bytes: number }>(
      'SELECT octet_length(value)::int AS bytes FROM event_log.records WHERE key = $1',
      [attacked.id],
    );
    expect(Math.max(...events.map(({ bytes }) => bytes))).toBeLessThan(131_072);
  });
});
