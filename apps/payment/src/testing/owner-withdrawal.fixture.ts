import { ZERO_ADDRESS } from '@bascule/chain';
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
import type { Address, Hash, Hex } from 'viem';
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

interface Action {
  target: Address;
  data: Hex;
  value: bigint;
}

/** A withdrawal signed by the owner, valid for half an hour from the time on chain, in seconds. */
export async function signedByOwner(
  { declaration: stored }: Pick<PaymentRecord, 'declaration'>,
  owner: PrivateKeyAccount,
  chainId: number,
  { actions, acceptBlame, now }: { actions: Action[]; acceptBlame: boolean; now: bigint },
) {
  const declaration = parseDeclaration(stored);
  const withdrawId = uuidv7();
  const authorization = {
    description: 'Give it back.',
    actions,
    nonce: withdrawalNonce(withdrawId, now + 1_800n),
    signatory_declaration_hash: declarationHash(declaration),
    chain_id: BigInt(chainId),
    accept_blame: acceptBlame,
  };
  const signature = await owner.signTypedData(serviceAuthorizationTypedData(authorization));
  return { declaration, withdrawId, authorization, signature };
}

/** Submits the owner's signed withdrawal from outside the service, without waiting for it. */
export async function withdrawFromOutside(
  stack: PaymentStack,
  payment: PaymentRecord,
  owner: PrivateKeyAccount,
  { token, amount, acceptBlame, priorityFee }: OwnerWithdrawal,
): Promise<{ withdrawId: string; nonce: bigint; deployment: Hash; hash: Hash }> {
  const wallet = getAddress(payment.walletAddress);
  const on = stack.on(token);
  const { timestamp: now } = await on.node.getBlock();
  const { address } = parseTokenIdentifier(token);
  const transfer: Action =
    address === ZERO_ADDRESS
      ? { target: owner.address, data: '0x', value: amount }
      : {
          target: address,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transfer',
            args: [owner.address, amount],
          }),
          value: 0n,
        };
  const { declaration, withdrawId, authorization, signature } = await signedByOwner(
    payment,
    owner,
    on.chain.chainId,
    { actions: [transfer], acceptBlame, now },
  );
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
