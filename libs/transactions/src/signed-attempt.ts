import { dataFeeOf, offeredFees } from '@bascule/chain';
import type { Chain, TransactionFees } from '@bascule/chain';
import { keccak256, serializeTransaction } from 'viem';
import type { Address, Hash, Hex, LocalAccount } from 'viem';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';

export interface TransactionContent {
  nonce: bigint;
  target: Address;
  data: Hex;
  value: bigint;
  gasLimit: bigint;
}

export interface UnsignedAttempt {
  purpose: AttemptPurpose;
  /** Result of {@link contentOf} for the purpose. */
  content: TransactionContent;
  fees: TransactionFees;
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

/** Content of an attempt: the transaction's own, or a self-transfer that uses its nonce. */
export async function contentOf(
  chain: Chain,
  purpose: AttemptPurpose,
  { signer, nonce, target, data, value, gasLimit }: TransactionContent & { signer: Address },
): Promise<TransactionContent> {
  if (purpose === 'payload') return { nonce, target, data, value, gasLimit };
  const gas = await cancellationGas(chain, signer);
  return { nonce, target: signer, data: '0x', value: 0n, gasLimit: gas };
}

const unsigned = (chain: Chain, content: TransactionContent, fees: TransactionFees) => ({
  chainId: chain.chainId,
  nonce: Number(content.nonce),
  to: content.target,
  data: content.data,
  value: content.value,
  gas: content.gasLimit,
  ...offeredFees(chain.definition, fees),
});

/** Fee of the content's data on the parent chain of a rollup, in wei. */
export const dataFeeFor = (
  chain: Chain,
  content: TransactionContent,
  fees: TransactionFees,
): Promise<bigint> => dataFeeOf(chain, serializeTransaction(unsigned(chain, content, fees)));

export async function signAttempt(
  account: LocalAccount,
  chain: Chain,
  { purpose, content, fees }: UnsignedAttempt,
): Promise<SignedAttempt> {
  const rawTransaction = await account.signTransaction(unsigned(chain, content, fees));
  return { ...fees, purpose, rawTransaction, hash: keccak256(rawTransaction) };
}
