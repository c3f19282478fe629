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
import { aUsdcSwap } from './orders.js';
import { acceptanceOf, newPlay, type Play } from './play.js';
import type { Scene } from './scene.js';
import { asked, deposit, depositHalf, ends, fund, order, reaches } from './steps.js';
import { recover, takeOut } from './take-out.js';

/** Who finds nothing for so long has lost the race. */
const RACE_MS = 2_000;
const AUTHORISATION_LIVES_SECONDS = 1_800;

export async function playUnderpaid(play: Play): Promise<void> {
  await order(play, aUsdcSwap(play));
  await depositHalf(play);
  await recover(play);
  await ends(play, 'WITHDRAWN');
}

export async function playWrongToken(play: Play): Promise<void> {
  await order(play, aUsdcSwap(play));
  const { units } = await asked(play);
  await deposit(play, play.chain.token('USDT'), units);
  await recover(play);
  await ends(play, 'WITHDRAWN');
}

/** Too little has come; the owner takes it to the wallet of a payment for as much, which costs no fee. */
export async function playRetried(play: Play, { add }: Scene): Promise<void> {
  await order(play, aUsdcSwap(play));
  const { token, units } = await asked(play);
  const sent = units / 2n;
  await deposit(play, token, sent);
  const child = { ...newPlay({ ...play, kind: 'retry' }), owner: play.owner };
  add(child);
  await order(child, {
    input: { asset: token, amount: await play.chain.amount(token, sent) },
    output: play.chain.token('WETH'),
    parentPaymentId: acceptanceOf(play).id,
  });
  const { status, takes, transactionHash } = await takeOut(play, acceptanceOf(child).wallet);
  check('the withdrawal to the retry succeeds', status === 'SUCCESS', status);
  check('the withdrawal to the retry costs nothing', takes.length === 1, takes.length);
  child.deposits.push({ token, units: sent, hash: transactionHash as `0x${string}` });
  await ends(play, 'WITHDRAWN');
  await ends(child, 'COMPLETE');
}

/** The owner does not ask the service: what is signed reaches the chain in anybody's transaction, without a fee. */
export async function playOwnTransaction(play: Play): Promise<void> {
  const { chain, owner } = play;
  const { declaration, wallet } = await order(play, aUsdcSwap(play));
  await depositHalf(play);
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
      BigInt(Math.floor(Date.now() / 1000) + AUTHORISATION_LIVES_SECONDS),
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
  play.withdrawals.push({
    withdrawId,
    byService: false,
    status: 'SUCCESS',
    transactionHash,
    takes,
  });
  await ends(play, 'WITHDRAWN');
}

/** Paid in full, and wanted back at the same time: the chain decides, and only once. */
export async function playRaced(play: Play): Promise<void> {
  await order(play, aUsdcSwap(play));
  await fund(play);
  await takeOut(play, play.owner.address, RACE_MS).catch((error: unknown) => {
    // The payment was faster: there is nothing left to sign for.
    if (!(error instanceof ApiError && error.status === 400) && !isNothingLeft(error)) throw error;
  });
  await ends(play, 'COMPLETE', 'WITHDRAWN');
}

const isNothingLeft = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('there is no balance');

export async function playExpired(play: Play): Promise<void> {
  await order(play, { ...aUsdcSwap(play), expirationMinutes: 1 });
  await ends(play, 'EXPIRED');
}

/** Funded in full, but after the deadline. */
export async function playLate(play: Play): Promise<void> {
  await order(play, { ...aUsdcSwap(play), expirationMinutes: 1 });
  await reaches(play, 'EXPIRED');
  await fund(play);
  await recover(play);
  await ends(play, 'WITHDRAWN');
}

/** Too little, and time enough for the rest. */
export async function playWaiting(play: Play): Promise<void> {
  await order(play, { ...aUsdcSwap(play), expirationMinutes: 60 });
  await depositHalf(play);
  await ends(play, 'PENDING');
}

export async function playUnfunded(play: Play): Promise<void> {
  await order(play, { ...aUsdcSwap(play), expirationMinutes: 60 });
  await ends(play, 'PENDING');
}
