import { tokenIdentifier } from '@bascule/contracts';
import {
  declarationHash,
  oneTimeWalletAbi,
  oneTimeWalletFactoryAbi,
  serviceAuthorizationTypedData,
  withdrawalNonce,
} from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, erc20Abi } from 'viem';
import { ApiError } from '../../../tools/first-payment/api.js';
import { check } from '../../../tools/first-payment/check.js';
import { randomUsdcSwap } from './order-requests.js';
import { acceptanceOf, newTestPayment, type TestPayment } from './test-payment.js';
import type { RoundContext } from './round-context.js';
import { requestedDeposit, deposit, depositHalf, ends, fund, order, reaches } from './steps.js';
import { recover, untilWithdrawable, withdrawParked } from './owner-withdrawal.js';

/** Without a balance for this long, the race is lost. */
const RACE_MS = 2_000;
const AUTHORIZATION_LIVES_SECONDS = 1_800;

export async function runUnderpaid(payment: TestPayment): Promise<void> {
  await order(payment, randomUsdcSwap(payment));
  await depositHalf(payment);
  await recover(payment);
  await ends(payment, 'WITHDRAWN');
}

export async function runWrongToken(payment: TestPayment): Promise<void> {
  await order(payment, randomUsdcSwap(payment));
  const { units } = await requestedDeposit(payment);
  await deposit(payment, payment.chain.token('USDT'), units);
  await recover(payment);
  await ends(payment, 'WITHDRAWN');
}

/** Underpays, then withdraws without a fee to the wallet of a retry for the deposited amount. */
export async function runRetried(payment: TestPayment, { add }: RoundContext): Promise<void> {
  await order(payment, randomUsdcSwap(payment));
  const { token, units } = await requestedDeposit(payment);
  const sent = units / 2n;
  await deposit(payment, token, sent);
  const child = { ...newTestPayment({ ...payment, scenario: 'retry' }), owner: payment.owner };
  add(child);
  await order(child, {
    input: { asset: token, amount: await payment.chain.amount(token, sent) },
    output: payment.chain.token('WETH'),
    parentPaymentId: acceptanceOf(payment).id,
  });
  await untilWithdrawable(child);
  const { status, takes, transactionHash } = await withdrawParked(
    payment,
    acceptanceOf(child).wallet,
  );
  check('the withdrawal to the retry succeeds', status === 'SUCCESS', status);
  check('the withdrawal to the retry costs nothing', takes.length === 1, takes.length);
  child.deposits.push({ token, units: sent, hash: transactionHash as `0x${string}` });
  await ends(payment, 'WITHDRAWN');
  await ends(child, 'COMPLETE');
}

/** The owner bypasses the service: any account can submit the signed withdrawal, without a fee. */
export async function runOwnTransaction(payment: TestPayment): Promise<void> {
  const { chain, owner } = payment;
  const { declaration, wallet } = await order(payment, randomUsdcSwap(payment));
  await depositHalf(payment);
  const token = tokenIdentifier(chain.name, declaration.legs[0]?.inputToken ?? '0x');
  const units = await chain.balance(token, wallet);
  const withdrawId = uuidv7();
  const args = [owner.address, units] as const;
  const authorization = {
    description: 'Give it back.',
    actions: [
      {
        target: declaration.legs[0]?.inputToken ?? wallet,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
        value: 0n,
      },
    ],
    nonce: withdrawalNonce(
      withdrawId,
      BigInt(Math.floor(Date.now() / 1000) + AUTHORIZATION_LIVES_SECONDS),
    ),
    signatory_declaration_hash: declarationHash(declaration),
    chain_id: BigInt(chain.chainId),
    accept_blame: true,
  };
  const signature = await owner.signTypedData(serviceAuthorizationTypedData(authorization));
  await chain.send(chain.faucet, {
    to: declaration.factory,
    data: encodeFunctionData({
      abi: oneTimeWalletFactoryAbi,
      functionName: 'deploy',
      args: [declarationHash(declaration)],
    }),
  });
  const { transactionHash } = await chain.send(chain.faucet, {
    to: wallet,
    data: encodeFunctionData({
      abi: oneTimeWalletAbi,
      functionName: 'withdraw',
      args: [declaration, authorization, signature],
    }),
  });
  const takes = [{ token, to: owner.address, units }];
  payment.withdrawals.push({
    withdrawId,
    byService: false,
    status: 'SUCCESS',
    transactionHash,
    takes,
  });
  await ends(payment, 'WITHDRAWN');
}

/** Funds in full and withdraws at the same time: the chain decides, and only once. */
export async function runRaced(payment: TestPayment): Promise<void> {
  await order(payment, randomUsdcSwap(payment));
  await fund(payment);
  await withdrawParked(payment, payment.owner.address, RACE_MS).catch((error: unknown) => {
    // The payment was faster: there is nothing left to sign for.
    if (!(error instanceof ApiError && error.status === 400) && !isNothingLeft(error)) throw error;
  });
  await ends(payment, 'COMPLETE', 'WITHDRAWN');
}

const isNothingLeft = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('no parked balance');

export async function runExpired(payment: TestPayment): Promise<void> {
  await order(payment, { ...randomUsdcSwap(payment), expirationMinutes: 1 });
  await ends(payment, 'EXPIRED');
}

/** Funded in full, but after the deadline. */
export async function runLate(payment: TestPayment): Promise<void> {
  await order(payment, { ...randomUsdcSwap(payment), expirationMinutes: 1 });
  await reaches(payment, 'EXPIRED');
  await fund(payment);
  await recover(payment);
  await ends(payment, 'WITHDRAWN');
}

/** Too little, and time enough for the rest. */
export async function runWaiting(payment: TestPayment): Promise<void> {
  await order(payment, { ...randomUsdcSwap(payment), expirationMinutes: 60 });
  await depositHalf(payment);
  await ends(payment, 'PENDING');
}

export async function runUnfunded(payment: TestPayment): Promise<void> {
  await order(payment, { ...randomUsdcSwap(payment), expirationMinutes: 60 });
  await ends(payment, 'PENDING');
}
