import { parseTokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import { developmentAccounts } from '@bascule/local-stack';
import {
  declarationHash,
  oneTimeWalletAbi,
  oneTimeWalletFactoryAbi,
  parseDeclaration,
  serviceAuthorizationTypedData,
  withdrawalNonce,
} from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, erc20Abi, getAddress } from 'viem';
import type { Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentStack } from './payment-stack.fixture.js';

export interface OwnerWithdrawal {
  token: TokenIdentifier;
  amount: bigint;
  acceptBlame: boolean;
  /** Wei per gas: the higher one comes first in a block. */
  priorityFee?: bigint;
}

/** Sends withdrawals for owners. */
export const RELAY = privateKeyToAccount(developmentAccounts[5].privateKey);

/** Submits the owner's signed withdrawal from outside the service, without waiting for it. */
export async function withdrawFromOutside(
  stack: PaymentStack,
  payment: PaymentRecord,
  owner: PrivateKeyAccount,
  { token, amount, acceptBlame, priorityFee }: OwnerWithdrawal,
): Promise<{ withdrawId: string; nonce: bigint; deployment: Hash; hash: Hash }> {
  const declaration = parseDeclaration(payment.declaration);
  const wallet = getAddress(payment.walletAddress);
  const withdrawId = uuidv7();
  const on = stack.on(token);
  const { timestamp } = await on.node.getBlock();
  const authorization = {
    description: 'Give it back.',
    actions: [
      {
        target: parseTokenIdentifier(token).address,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [owner.address, amount],
        }),
        value: 0n,
      },
    ],
    nonce: withdrawalNonce(withdrawId, timestamp + 1_800n),
    signatory_declaration_hash: declarationHash(declaration),
    chain_id: BigInt(on.chain.chainId),
    accept_blame: acceptBlame,
  };
  const signature = await owner.signTypedData(serviceAuthorizationTypedData(authorization));
  const sender = on.wallet(RELAY);
  const nonce = await on.node.getTransactionCount({
    address: sender.account.address,
    blockTag: 'pending',
  });
  const fees = {
    maxPriorityFeePerGas: priorityFee ?? 10n ** 9n,
    maxFeePerGas: (priorityFee ?? 10n ** 9n) + 10n ** 10n,
    gas: 500_000n,
  };
  const deployment = await sender.writeContract({
    address: declaration.factory,
    abi: oneTimeWalletFactoryAbi,
    functionName: 'deploy',
    args: [declarationHash(declaration)],
    nonce,
    ...fees,
  });
  const hash = await sender.writeContract({
    address: wallet,
    abi: oneTimeWalletAbi,
    functionName: 'withdraw',
    args: [declaration, authorization, signature],
    nonce: nonce + 1,
    ...fees,
  });
  return { withdrawId, nonce: authorization.nonce, deployment, hash };
}
