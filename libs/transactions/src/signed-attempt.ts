import { dataFeeIn, dataFeeOf, medianOf, offeredFees } from '@bascule/chain';
import type { Chain, ChainView, Medians, TransactionFees } from '@bascule/chain';
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

/** Most gas of a cancellation, well below a block's. */
const MAX_CANCELLATION_GAS = 10_000_000n;

/** Estimate that counts of two nodes; of three the median does. */
type Middle = 'lower' | 'higher';

/** Gas of a cancellation: estimated only on rollups on which it includes the data's cost on the parent chain. */
async function cancellationGas(chain: Chain, address: Address, middle: Middle): Promise<bigint> {
  if (chain.definition.gasIncludesData !== true) return TRANSFER_GAS;
  const call = { account: address, to: address };
  const estimate = await medianOf(chain, (node) => node.estimateGas(call), middle);
  if (estimate <= TRANSFER_GAS) return TRANSFER_GAS;
  const wanted = (estimate * GAS_MARGIN_PERCENT) / 100n;
  return wanted < MAX_CANCELLATION_GAS ? wanted : MAX_CANCELLATION_GAS;
}

/** Content of an attempt: the transaction's own, or a self-transfer that uses its nonce. */
export async function contentOf(
  chain: Chain,
  purpose: AttemptPurpose,
  { signer, nonce, target, data, value, gasLimit }: TransactionContent & { signer: Address },
  middle: Middle = 'higher',
): Promise<TransactionContent> {
  if (purpose === 'payload') return { nonce, target, data, value, gasLimit };
  const gas = await cancellationGas(chain, signer, middle);
  return { nonce, target: signer, data: '0x', value: 0n, gasLimit: gas };
}

type Signed = Pick<ChainView, 'chainId' | 'definition'>;

const unsigned = (chain: Signed, content: TransactionContent, fees: TransactionFees) => ({
  chainId: chain.chainId,
  nonce: Number(content.nonce),
  to: content.target,
  data: content.data,
  value: content.value,
  gas: content.gasLimit,
  ...offeredFees(chain.definition, fees),
});

/** Fee of the content's data on the parent chain of a rollup, in wei: of two nodes both. */
export const dataFeeFor = (
  chain: Chain,
  content: TransactionContent,
  fees: TransactionFees,
): Promise<Medians> => dataFeeOf(chain, serializeTransaction(unsigned(chain, content, fees)));

/** The same as one node shows it. */
export const dataFeeSeenIn = (
  view: ChainView,
  content: TransactionContent,
  fees: TransactionFees,
): Promise<bigint> => dataFeeIn(view, serializeTransaction(unsigned(view, content, fees)));

export async function signAttempt(
  account: LocalAccount,
  chain: Chain,
  { purpose, content, fees }: UnsignedAttempt,
): Promise<SignedAttempt> {
  const rawTransaction = await account.signTransaction(unsigned(chain, content, fees));
  return { ...fees, purpose, rawTransaction, hash: keccak256(rawTransaction) };
}
