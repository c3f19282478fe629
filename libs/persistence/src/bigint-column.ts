import type { ColumnOptions, ValueTransformer } from 'typeorm';

const transformer: ValueTransformer = {
  to: (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value),
  from: (value: unknown): unknown => (typeof value === 'string' ? BigInt(value) : value),
};

/** Column of an amount in smallest units: `@Column(bigintColumn) amount: bigint`. Holds any uint256. */
export const bigintColumn = {
  type: 'numeric',
  precision: 78,
  scale: 0,
  transformer,
} as const satisfies ColumnOptions;
