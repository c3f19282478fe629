import { formatAmount } from '@bascule/amounts';
import { ZERO_ADDRESS } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { Address, Hex } from 'viem';

/** A token of the withdrawal; amounts in smallest units. */
export interface Payout {
  /** The zero address is the native currency. */
  address: Address;
  symbol: string;
  decimals: number;
  /** All that leaves the wallet. */
  amount: bigint;
  /** The part of it that repays gas. */
  fee: bigint;
}

const NO_DATA: Hex = '0x';

function transfer(token: Address, to: Address, amount: bigint): Call {
  if (token === ZERO_ADDRESS) return { target: to, data: NO_DATA, value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  return { target: token, data, value: 0n };
}

/** The recipient's part of each token, then the fee's. */
export function withdrawalActions(
  payouts: readonly Payout[],
  recipient: Address,
  feeReceiver: Address,
): Call[] {
  return payouts.flatMap(({ address, amount, fee }) => [
    transfer(address, recipient, amount - fee),
    ...(fee === 0n ? [] : [transfer(address, feeReceiver, fee)]),
  ]);
}

/** What the owner's wallet shows when it asks for the signature. */
export function describeWithdrawal(
  payouts: readonly Payout[],
  o: { paymentId: string; network: string; recipient: Address },
): string {
  const sums = (select: (payout: Payout) => bigint) =>
    payouts
      .filter((payout) => select(payout) > 0n)
      .map((payout) => `${formatAmount(select(payout), payout.decimals)} ${payout.symbol}`)
      .join(', ');
  const fees = sums(({ fee }) => fee);
  return (
    `Withdraw ${sums(({ amount, fee }) => amount - fee)} of payment ${o.paymentId} ` +
    `to ${o.recipient} on ${o.network}${fees === '' ? '' : `, network fee ${fees}`}.`
  );
}
