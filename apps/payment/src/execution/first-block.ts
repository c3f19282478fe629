import { minAmount } from '@bascule/amounts';
import type { Leg, PaymentRecord } from '../life-cycle/payment-record.js';

/** A reorganisation may put what is looked for into earlier blocks. */
const MARGIN = 512n;

/** From where on the leg's chain to look for its execution: nothing happened to the wallet there before. */
export function firstBlock(payment: PaymentRecord, leg: Leg): bigint {
  const settled = leg.settlement?.blockNumber;
  const blocks = [
    ...payment.deposits.filter(({ chain }) => chain === leg.chain).map((it) => it.blockNumber),
    ...(settled === undefined ? [] : [settled - minAmount(settled, MARGIN)]),
  ];
  const delivered = payment.legs[leg.index - 1]?.transfer?.transfer.destinationFromBlock;
  const [first, ...others] = delivered === undefined ? blocks : [...blocks, delivered];
  return others.reduce(minAmount, first ?? 0n);
}
