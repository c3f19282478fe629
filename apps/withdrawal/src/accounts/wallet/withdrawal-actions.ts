import { formatAmount } from '@bascule/amounts';
import { ZERO_ADDRESS } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { Address, Hex } from 'viem';

/** Token of a withdrawal; amounts in smallest units. */
export interface Payout {
  /** The zero address is the native currency. */
  address: Address;
  symbol: string;
  decimals: number;
  /** Total that leaves the wallet, fee included. */
  amount: bigint;
  /** Part of the amount that repays gas. */
  fee: bigint;
}

const NO_DATA: Hex = '0x';

function transfer(token: Address, to: Address, amount: bigint): Call {
  if (token === ZERO_ADDRESS) return { target: to, data: NO_DATA, value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  return { target: token, data, value: 0n };
}

/** Builds each token's transfer to the recipient, followed by its fee transfer. */
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

/** Describes the withdrawal for the owner's signature prompt. */
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
