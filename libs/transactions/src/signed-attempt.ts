import { offeredFees } from '@bascule/chain';
import type { Chain, TransactionFees } from '@bascule/chain';
import { keccak256 } from 'viem';
import type { Address, Hash, Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';

export interface TransactionContent {
  nonce: bigint;
  target: Address;
  data: Hex;
  value: bigint;
  gasLimit: bigint;
}

export interface SignedAttempt extends TransactionFees {
  purpose: AttemptPurpose;
  hash: Hash;
  rawTransaction: Hex;
}

/** Gas of an empty self-transfer on a chain without extra charges. */
export const TRANSFER_GAS = 21_000n;
const GAS_MARGIN_PERCENT = 140n;

/** Estimates the gas of a cancellation: on some rollups it includes the data's cost on the parent chain. */
async function cancellationGas(chain: Chain, address: Address): Promise<bigint> {
  const estimate = await chain.client.estimateGas({ account: address, to: address });
  return estimate > TRANSFER_GAS ? (estimate * GAS_MARGIN_PERCENT) / 100n : TRANSFER_GAS;
}

export async function signAttempt(
  account: PrivateKeyAccount,
  chain: Chain,
  purpose: AttemptPurpose,
  content: TransactionContent,
  fees: TransactionFees,
): Promise<SignedAttempt> {
  const cancels = purpose === 'cancellation';
  const rawTransaction = await account.signTransaction({
    chainId: chain.chainId,
    nonce: Number(content.nonce),
    to: cancels ? account.address : content.target,
    data: cancels ? '0x' : content.data,
    value: cancels ? 0n : content.value,
    gas: cancels ? await cancellationGas(chain, account.address) : content.gasLimit,
    ...offeredFees(chain.definition, fees),
  });
  return { ...fees, purpose, rawTransaction, hash: keccak256(rawTransaction) };
}
