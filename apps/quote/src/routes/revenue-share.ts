import { divide, parseAmount } from '@bascule/amounts';
import { PCT_DECIMALS, type RevenueShareReceiver } from '@bascule/contracts';

/** Parts of one hundred percent in which percentages are counted: four decimals of a percent. */
const WHOLE = 1_000_000n;

/** Receiver of a part of the payment's input value. */
export interface ShareReceiver {
  receiver: string;
  /** Parts per million of the input value. */
  ppm: bigint;
}

/** An organisation's revenue share with its receivers by chain, at least one on each. */
export type RevenueShare = ReadonlyMap<string, readonly ShareReceiver[]>;

/** Deductions from the input of a leg. */
export interface Deductions {
  /** Network fee, in the input token. */
  fee: bigint;
  /** Revenue share, in parts per million of the input value. */
  ppm: bigint;
}

/** Amount for one receiver, in the smallest unit of the leg's input token. */
export interface BusinessFee {
  receiver: string;
  units: bigint;
}

export const ppmOf = (pct: string): bigint => parseAmount(pct, PCT_DECIMALS);

export const totalPpm = (receivers: readonly ShareReceiver[]): bigint =>
  receivers.reduce((sum, { ppm }) => sum + ppm, 0n);

export function parseRevenueShare(receivers: readonly RevenueShareReceiver[]): RevenueShare {
  const share = new Map<string, ShareReceiver[]>();
  for (const { chain, address, pct } of receivers) {
    share.set(chain, [...(share.get(chain) ?? []), { receiver: address, ppm: ppmOf(pct) }]);
  }
  return share;
}

/** Index of the leg that pays the share: the first one whose chain has receivers; -1 without one. */
export const sharedLeg = (legs: readonly { chain: string }[], share: RevenueShare): number =>
  legs.findIndex(({ chain }) => share.has(chain));

/** Splits a share of `value`; the parts sum to the whole share, rounded down once. */
export function splitShare(value: bigint, receivers: readonly ShareReceiver[]): BusinessFee[] {
  const upTo = (count: number) => (value * totalPpm(receivers.slice(0, count))) / WHOLE;
  return receivers.map(({ receiver }, index) => ({
    receiver,
    units: upTo(index + 1) - upTo(index),
  }));
}

/** Smallest amount that leaves `rest` after a fee and a share of the amount itself. */
export const amountBefore = (rest: bigint, { fee, ppm }: Deductions): bigint =>
  divide((rest + fee) * WHOLE, WHOLE - ppm, 'up');
