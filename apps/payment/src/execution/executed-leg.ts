import { minAmount } from '@bascule/amounts';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { erc20Abi, isAddressEqual, parseEventLogs } from 'viem';
import type { Address, Log } from 'viem';
import type { Leg, PaymentRecord } from '../life-cycle/payment-record.js';

/** Amounts of an executed leg, read from its receipt; smallest units. */
export interface ExecutedLeg {
  /** Amount converted or paid out, less the returned rest. */
  input: bigint;
  fees: readonly bigint[];
  output: bigint;
}

/** Tokens and contract of a leg's conversion. */
interface LegConversion {
  inputToken: Address;
  converter: Address;
}

/** Null without a `LegExecuted` log of the leg. */
export function executedLeg(
  logs: readonly Log[],
  wallet: Address,
  legIndex: number,
  conversion: LegConversion,
): ExecutedLeg | null {
  const executed = parseEventLogs({
    abi: oneTimeWalletAbi,
    eventName: 'LegExecuted',
    logs: [...logs],
  })
    .filter(({ address }) => isAddressEqual(address, wallet))
    .find(({ args }) => args.leg === BigInt(legIndex));
  if (!executed) return null;
  const { amount, fees, output } = executed.args;
  return { input: amount - minAmount(amount, returned(logs, wallet, conversion)), fees, output };
}

/** The conversion's unused input, which the converter sends back. Transfers by others are deposits. */
function returned(
  logs: readonly Log[],
  wallet: Address,
  { inputToken, converter }: LegConversion,
): bigint {
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [...logs] })
    .filter(
      ({ address, args }) =>
        isAddressEqual(address, inputToken) &&
        isAddressEqual(args.from, converter) &&
        isAddressEqual(args.to, wallet),
    )
    .reduce((sum, { args }) => sum + args.value, 0n);
}

/** A reorg may move the execution into earlier blocks. */
const REORG_MARGIN = 512n;

/** First block to search for the leg's execution: the wallet has no earlier history on that chain. */
export function firstBlock(payment: PaymentRecord, leg: Leg): bigint {
  const settled = leg.settlement?.blockNumber;
  const blocks = [
    ...payment.deposits.filter(({ chain }) => chain === leg.chain).map((it) => it.blockNumber),
    ...(settled === undefined ? [] : [beforeReorg(settled)]),
    ...deliveryBlocks(payment.legs[leg.index - 1]),
  ];
  const [first, ...others] = blocks;
  return others.reduce(minAmount, first ?? 0n);
}

/** The transfer's own start may be a lie of a node; the block of its fill has witnesses. */
function deliveryBlocks(previous: Leg | undefined): bigint[] {
  if (!previous?.transfer) return [];
  const { transfer, filled } = previous.transfer;
  return [transfer.destinationFromBlock, ...(filled ? [beforeReorg(filled.blockNumber)] : [])];
}

const beforeReorg = (block: bigint): bigint => block - minAmount(block, REORG_MARGIN);
